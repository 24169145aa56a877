import { type Audit, rebuildOf } from '../core/audit.ts';
import { type InstanceKey, partitionKeyOf } from '../core/event.ts';
import { rebuildEvent } from '../core/rebuild.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import { toIso } from '../core/time.ts';
import type { AuditRequest } from '../service/protocol.ts';
import type { RouteEnvironment } from './app.ts';
import { type Operation, pageQuery } from './describe.ts';
import { cursorMember, pageRequest } from './paging.ts';
import { noModel, Problem } from './problem.ts';
import { done } from './schemas.ts';

/** What a place in the table is: two keys, of which one may be long. */
const maximumCursor = 6_144;

type Environment = Pick<RouteEnvironment, 'walk' | 'auditor' | 'ownStream' | 'models'>;
type Query = Readonly<Record<string, string>>;

/** What was found, and what is going to be done about it. */
interface Answer {
  readonly audits: readonly Audit[];
  readonly rebuilding: number;
  readonly cursor?: string;
}

/**
 * Holds some instances of a model against their histories, found by what is stored of them alone, and unless it
 * is a dry run has those rebuilt that are otherwise. What was not reached in time is behind the cursor.
 *
 * @throws Problem 400, 404 without such a model, 409 where its Lambda cannot do it.
 */
export async function rebuildSome(
  environment: Environment,
  model: string,
  query: Query,
): Promise<Answer> {
  const entry = await registered(environment, model);
  const options = optionsIn(query);
  const { walk } = environment;
  const page = await walk.stored(model, pageRequest(query, maximumCursor));
  const audits = await audited(environment, entry, page.items, options);
  const rebuilding = isDry(query) ? 0 : await rebuild(environment, model, audits, options);
  const last = page.items[audits.length - 1];
  const isShort = last && audits.length < page.items.length;
  return { audits, rebuilding, ...cursorMember(isShort ? walk.behind(last) : page.cursor) };
}

/** The same of one instance. */
export async function rebuildOne(
  environment: Environment,
  instance: InstanceKey,
  query: Query,
): Promise<Answer> {
  const entry = await registered(environment, instance.model);
  const options = optionsIn(query);
  const audits = await audited(environment, entry, [instance], options);
  const rebuilding = isDry(query) ? 0 : await rebuild(environment, instance.model, audits, options);
  return { audits, rebuilding };
}

async function registered({ models }: Environment, model: string): Promise<RegistryEntry> {
  const entry = await models.get(model);
  if (!entry) throw noModel(model);
  return entry;
}

type Options = Pick<AuditRequest, 'since' | 'rowsOnly'>;

async function audited(
  { auditor }: Environment,
  { id: model, functionArn }: RegistryEntry,
  instances: readonly InstanceKey[],
  options: Options,
): Promise<readonly Audit[]> {
  if (instances.length === 0) return [];
  const transactions = instances.map(({ transaction }) => transaction);
  const invocation = await auditor.audit(functionArn, {
    op: 'audit',
    model,
    transactions,
    ...options,
  });
  if (invocation.kind === 'unavailable')
    throw new Problem(503, `the model's Lambda cannot be run just now: ${invocation.reason}`);
  if (invocation.kind === 'failed') throw new Problem(409, invocation.reason);
  return invocation.answer.audits;
}

/** Asks for what has to be rebuilt, and says how many instances that are. */
async function rebuild(
  { ownStream }: Environment,
  model: string,
  audits: readonly Audit[],
  { rowsOnly = false }: Options,
): Promise<number> {
  const records = audits.flatMap((audit) => {
    const wanted = rebuildOf(audit);
    if (wanted === 'nothing') return [];
    const instance = { model, transaction: audit.transaction };
    const event = rebuildEvent(instance, { rowsOnly: rowsOnly || wanted === 'row' });
    return [{ partitionKey: partitionKeyOf(instance), data: Buffer.from(JSON.stringify(event)) }];
  });
  if (records.length > 0) await ownStream.put(records);
  return records.length;
}

function optionsIn(query: Query): Options {
  const { since = '' } = query;
  const time = /^\d{4}-\d\d-\d\dT/.test(since) ? Date.parse(since) : Number.NaN;
  if (since !== '' && Number.isNaN(time))
    throw new Problem(400, 'since must be a time as in RFC 3339: 2026-01-31T12:00:00Z');
  return {
    ...(since !== '' && { since: toIso(time) }),
    ...(isAsked('rows', query) && { rowsOnly: true }),
  };
}

const isDry = (query: Query) => isAsked('dry', query);

function isAsked(name: string, query: Query): boolean {
  const value = query[name] ?? '';
  if (!['', 'true', 'false'].includes(value)) throw new Problem(400, `${name} is true or false`);
  return value === 'true';
}

const query = {
  dry: {
    text: 'true: only says what is otherwise, and writes nothing',
    schema: { type: 'boolean' },
  },
  rows: {
    text: 'true: only status rows, and what finds instances by them; no history is folded',
    schema: { type: 'boolean' },
  },
} as const;
const common = {
  answers: { 200: done.rebuilding, 202: done.rebuilding },
  problems: [400, 404, 409] as const,
};

/** What the description says of both. */
export const operations = {
  some: {
    ...common,
    summary: 'Holds instances of a model against their histories, and rebuilds those that differ',
    tag: 'models',
    query: { ...query, since: 'only instances that changed then or later, RFC 3339', ...pageQuery },
  },
  one: {
    ...common,
    summary: 'Holds an instance against its history, and rebuilds it where it differs',
    tag: 'instances',
    query,
  },
} satisfies Record<string, Operation>;

/** How an answer says whether anything is still to be done. */
export const statusOf = (query: Query) => (isDry(query) ? 200 : 202);
