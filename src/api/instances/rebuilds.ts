import * as v from 'valibot';
import { type InstanceKey, partitionKeyOf } from '../../core/event/event.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { type Audit, auditSchema, requiredRebuild } from '../../core/replay/audit.ts';
import { rebuildEvent } from '../../core/replay/rebuild.ts';
import { toIso, toUtc } from '../../core/time/timestamp.ts';
import type { AuditRequest } from '../../model-runtime/protocol.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import type { Operation } from '../http/describe-operation.ts';
import { named } from '../http/named.ts';
import { cursorMember, pageQuery, pageRequest, scanCursor } from '../http/paging.ts';
import { instancePath, modelPath } from '../http/path-parameters.ts';
import { flag, timeParameter } from '../http/query-parameters.ts';
import { count, cursor } from '../http/schema-values.ts';
import { modelAnswer } from '../registry/model-answer.ts';
import { readModel } from '../registry/read-model.ts';

type RebuildDependencies = Pick<RouteDependencies, 'scanner' | 'auditor' | 'ownStream' | 'models'>;
type RebuildQuery = Readonly<Record<string, string>>;

/** The audits of a page of instances, and the number of instances that will be rebuilt. */
interface RebuildAnswer {
  readonly audits: readonly Audit[];
  readonly rebuilding: number;
  readonly cursor?: string;
}

/**
 * Audits a page of a model's instances against their histories. Unless this is a dry run, requests a rebuild of the
 * instances that differ. Finds instances by their commits and parked events because status rows can be missing.
 *
 * @throws Problem 404 for an unknown model or cursor, 409 if the model's Lambda function fails, 503 if it is
 *   unavailable.
 */
export async function rebuildInstances(
  dependencies: RebuildDependencies,
  model: string,
  query: RebuildQuery,
): Promise<RebuildAnswer> {
  const entry = await readModel(dependencies.models, model);
  const { scanner } = dependencies;
  const filters = { ...query, model };
  const page = await scanner.scan(model, pageRequest('rebuild', filters));
  const answer = await auditAndRebuild(dependencies, entry, page.items, query);
  const { audits } = answer;
  const last = page.items[audits.length - 1];
  const isShort = last && audits.length < page.items.length;
  return {
    ...answer,
    ...cursorMember('rebuild', isShort ? scanner.cursorAfter(last) : page.cursor, filters),
  };
}

/** Audits one instance and, unless this is a dry run, requests a rebuild if the instance differs from its history. */
export async function rebuildInstance(
  dependencies: RebuildDependencies,
  instance: InstanceKey,
  query: RebuildQuery,
): Promise<RebuildAnswer> {
  const entry = await readModel(dependencies.models, instance.model);
  return auditAndRebuild(dependencies, entry, [instance], query);
}

async function auditAndRebuild(
  dependencies: RebuildDependencies,
  entry: RegistryEntry,
  instances: readonly InstanceKey[],
  query: RebuildQuery,
): Promise<RebuildAnswer> {
  const options = optionsIn(query);
  const audits = await auditInstances(dependencies, entry, instances, options);
  if (isDryRun(query)) return { audits, rebuilding: 0 };
  return { audits, rebuilding: await requestRebuilds(dependencies, entry.id, audits, options) };
}

type RebuildOptions = Pick<AuditRequest, 'since' | 'rowsOnly'>;

async function auditInstances(
  { auditor }: RebuildDependencies,
  { id: model, functionArn }: RegistryEntry,
  instances: readonly InstanceKey[],
  options: RebuildOptions,
): Promise<readonly Audit[]> {
  if (instances.length === 0) return [];
  const transactions = instances.map(({ transaction }) => transaction);
  const invocation = await auditor.audit(functionArn, {
    op: 'audit',
    model,
    transactions,
    ...options,
  });
  return modelAnswer(invocation).audits;
}

/** Requests the rebuilds that the audits require, and returns their number. */
async function requestRebuilds(
  { ownStream }: RebuildDependencies,
  model: string,
  audits: readonly Audit[],
  { rowsOnly = false }: RebuildOptions,
): Promise<number> {
  const records = audits.flatMap((audit) => {
    const wanted = requiredRebuild(audit);
    if (wanted === 'nothing') return [];
    const instance = { model, transaction: audit.transaction };
    const event = rebuildEvent(instance, { rowsOnly: rowsOnly || wanted === 'row' });
    return [{ partitionKey: partitionKeyOf(instance), data: Buffer.from(JSON.stringify(event)) }];
  });
  if (records.length > 0) await ownStream.put(records);
  return records.length;
}

function optionsIn({ since, rows }: RebuildQuery): RebuildOptions {
  return {
    ...(since !== undefined && { since: toIso(Date.parse(toUtc(since)!)) }),
    ...(rows === 'true' && { rowsOnly: true }),
  };
}

const isDryRun = ({ dry }: RebuildQuery) => dry === 'true';

const since = timeParameter(
  'since',
  'only instances that changed at or after this time',
  '2026-01-31T12:00:00Z',
);
const query = {
  dry: flag('dry', 'true to report which instances differ, without rebuilding them'),
  rows: flag('rows', 'true to check only status rows and business keys, without folding histories'),
  since: v.optional(since),
} as const;
const rebuilding = named('RebuildPage', {
  audits: v.array(v.pipe(auditSchema, v.title('Audit'))),
  rebuilding: v.pipe(
    count,
    v.description('the number of instances that will be rebuilt; 0 in a dry run'),
  ),
  cursor,
});
const commonOperation = {
  answers: { 200: rebuilding, 202: rebuilding },
  problems: [404, 409] as const,
};

/** The OpenAPI descriptions of rebuilding several instances and one instance. */
export const operations = {
  some: {
    ...commonOperation,
    id: 'rebuildInstances',
    summary: "Rebuild a model's instances",
    description:
      "Compares a model's instances with their histories and rebuilds those that differ. Repeat the request with the returned `cursor` until a response contains no `cursor`.",
    tag: 'models',
    path: modelPath,
    query: { ...query, limit: pageQuery.limit, cursor: scanCursor },
  },
  one: {
    ...commonOperation,
    id: 'rebuildInstance',
    summary: 'Rebuild an instance',
    description: 'Compares an instance with its history and rebuilds the instance if they differ.',
    tag: 'instances',
    path: instancePath,
    query,
  },
} satisfies Record<string, Operation>;

/** Returns the HTTP status of a response: 202 if rebuilds may follow, 200 after a dry run. */
export const statusCodeOf = (query: RebuildQuery) => (isDryRun(query) ? 200 : 202);
