import * as v from 'valibot';
import { type Audit, auditSchema } from '../../core/replay/audit.ts';
import { type ApiClient } from '../client/api-client.ts';
import { instancePath, modelPath } from '../client/api-paths.ts';
import type { InstanceSelection } from './replay-histories.ts';

/** What is asked of the service. */
export interface AuditOptions extends InstanceSelection {
  /** Have instances rebuilt that are otherwise; without it nothing is written. */
  readonly apply?: true;
  /** Status rows alone. */
  readonly rows?: true;
}

/** What the service found of some instances. */
export interface AuditPage {
  readonly audits: readonly Audit[];
  /** How many of them are going to be rebuilt. */
  readonly rebuilding: number;
  /** Where to go on; undefined at the end. */
  readonly cursor: string | undefined;
}

const answer = v.object({
  audits: v.array(auditSchema),
  rebuilding: v.number(),
  cursor: v.optional(v.string()),
});
/** Each page is folded by one invocation of the model's Lambda. */
const pageSize = 50;

/**
 * Has the service hold the instances of a model against their histories, with the model that is deployed. They are
 * found by their commits, whatever their rows say.
 *
 * Throws `ApiError`.
 *
 * @param from where an earlier run was, by its cursor.
 */
export async function* auditPages(
  api: ApiClient,
  model: string,
  { transaction, since, limit = Infinity, apply, rows }: AuditOptions,
  from?: string,
): AsyncGenerator<AuditPage> {
  const query = {
    dry: apply ? undefined : 'true',
    rows: rows && 'true',
    since: since === undefined ? undefined : new Date(since).toISOString(),
  };
  if (transaction !== undefined) {
    const path = `${instancePath(model, transaction)}/rebuild`;
    const page = (await api.post(path, { query })).read(answer);
    yield { ...page, cursor: undefined };
    return;
  }
  const path = `${modelPath(model)}/rebuild`;
  let cursor = from;
  for (let left = limit; left > 0; ) {
    const size = String(Math.min(pageSize, left));
    const page = (await api.post(path, { query: { ...query, limit: size, cursor } })).read(answer);
    cursor = page.cursor;
    yield { ...page, cursor };
    left -= page.audits.length;
    if (cursor === undefined) return;
  }
}
