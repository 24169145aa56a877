import { createDecipheriv } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import { keyLifetime } from '../personal-data/erasing.ts';
import { type Item, text } from './item.ts';
import type { CommitItem, HistoryEntry, Instance } from './tables.ts';
import { maximumSkew } from './timers.ts';

/** How long a model's function can continue with code that a deployment has replaced, in milliseconds. */
const oldCode = 120_000 + maximumSkew;
/** How long a dispatcher can continue with a stale registry entry, in milliseconds. */
export const oldEntry = 10_000;

const isSecret = (json: string) => /secret-\d/.test(json);

/**
 * Checks how personal data is stored, and returns the instances as if it were neither sealed nor erased: the other
 * checks compare them with the records that were sent.
 */
export function openInstances(
  instances: readonly Instance[],
  log: RunLog,
): { readonly opened: readonly Instance[]; readonly findings: readonly string[] } {
  if (!log.sealed) return { opened: instances, findings: [] };
  const sent = Map.groupBy(log.puts, ({ event }) => event && recipientOf(event) + nameOf(event));
  const findings: string[] = [];
  const opened = instances.map((instance) => {
    const opening = new Opening(instance, log, sent);
    const commits = instance.commits.map((commit) => opening.open(commit));
    findings.push(...opening.findings.map((finding) => `${instance.key}: ${finding}`));
    return { ...instance, commits, history: commits.flatMap(({ entries }) => entries) };
  });
  return { opened, findings };
}

const recipientOf = ({ model, transaction }: { model: string; transaction: string }) =>
  `${model}#${transaction} `;

/** Opens the commits of an instance, in order. */
class Opening {
  readonly findings: string[] = [];
  readonly #instance: Instance;
  readonly #log: RunLog;
  readonly #sent: ReadonlyMap<unknown, readonly PutRecord[]>;
  /** The secret that the state must contain. */
  #secret: unknown;

  constructor(instance: Instance, log: RunLog, sent: ReadonlyMap<unknown, readonly PutRecord[]>) {
    this.#instance = instance;
    this.#log = log;
    this.#sent = sent;
  }

  open(commit: CommitItem): CommitItem {
    const { version, item } = commit;
    const { dataKeys, erasures } = this.#log;
    const markedAt = this.#log.markedAt ?? Number.POSITIVE_INFINITY;
    const { key } = this.#instance;
    const at = Date.parse(text(item, 'at'));
    const erasure = erasures.get(key);
    const stored = JSON.stringify(commit.entries);
    const find = (finding: string) => this.findings.push(`commit ${version} ${finding}`);
    if (isSecret(stored)) {
      if (at > markedAt + oldCode) find('contains personal data in plain text');
      if (erasure?.searched.has(version))
        find('contains personal data in plain text after a search');
    }
    if (
      stored.includes('$sealed') &&
      at > (erasure?.destroyedAt ?? Infinity) + keyLifetime + maximumSkew
    )
      find('is sealed with a key that was destroyed more than a minute before');
    const open = unsealerOf(key, dataKeys.get(key) ?? []);
    const mayBeErased =
      erasure !== undefined &&
      (at >= erasure.destroyedAt - maximumSkew || at <= markedAt + oldCode);
    const entries = commit.entries.map((entry) => {
      const data = open(entry.data);
      const original = this.#originalOf(entry, data);
      if (!mayBeErased && !isDeepStrictEqual(data, original))
        find(`lacks the data of ${entry.name}`);
      const { secret, ...state } = open(entry.state) as { secret?: unknown };
      if (!entry.rejected)
        this.#secret = (original as { secret?: unknown })?.secret ?? this.#secret;
      const isErased = secret === null && erasure !== undefined;
      if (secret !== this.#secret && !isErased)
        find(`has the secret ${String(secret)} after ${entry.name}`);
      return { ...entry, data: original, state, isErased: data === null };
    });
    return { ...commit, entries };
  }

  /** Returns the original data of an event. The stored data, `found`, can lack personal data. */
  #originalOf({ name }: HistoryEntry, found: unknown): unknown {
    const records = this.#sent.get(`${this.#instance.key} ${name}`) ?? [];
    const record =
      records.find(({ event }) => isDeepStrictEqual(event!.data, found)) ??
      records.find(({ event }) => isErasedFrom(found, event!.data));
    return record ? record.event!.data : found;
  }
}

/** True if data equals the original data, except that personal data is null. */
function isErasedFrom(found: unknown, original: unknown): boolean {
  const hidden = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name, each: unknown) => (name === 'secret' ? null : each));
  return found === null || isDeepStrictEqual(hidden(found), hidden(original));
}

/** Returns a function that decrypts all sealed values within a value with one of the keys. */
function unsealerOf(name: string, keys: readonly Uint8Array[]) {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== 'object' || value === null) return value;
    if ('$sealed' in value) return open(decrypted(value.$sealed as string));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, open(each)]));
  };
  function decrypted(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64');
    for (const key of keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(-16));
        const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
        return JSON.parse(plain.toString());
      } catch {
        // Another key may have sealed the value.
      }
    }
    return `cannot be decrypted: ${sealed}`;
  }
  return open;
}

/** Checks that parked events are sealed, unless they arrived before the deployment that marked the personal data. */
export function* auditParkedData(items: readonly Item[], log: RunLog): Generator<string> {
  if (!log.sealed) return;
  const until = (log.markedAt ?? Number.POSITIVE_INFINITY) + oldEntry;
  for (const item of items)
    if (item.sk!.S!.startsWith('PARKED#') && Date.parse(text(item, 'at')) > until)
      if (isSecret(item.event!.S ?? ''))
        yield `${text(item, 'pk')} ${text(item, 'sk')} contains personal data in plain text`;
}

/** Checks that destroyed data keys remain destroyed. */
export function* auditDataKeys(keys: readonly Item[], { erasures }: RunLog): Generator<string> {
  const found = new Map(keys.map((item) => [text(item, 'pk'), item]));
  for (const name of erasures.keys()) {
    const item = found.get(name);
    if (!item?.forgottenAt || item.encrypted) yield `${name}: its destroyed data key exists again`;
  }
}
