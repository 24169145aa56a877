import * as v from 'valibot';
import { type Audit, auditSchema } from '../../core/replay/audit.ts';
import type { ApiClient } from '../client/api-client.ts';
import { instancePath, modelPath } from '../client/api-paths.ts';
import type { InstanceSelection } from './replay-histories.ts';

/** The instances to audit, what to check, and whether to rebuild instances that differ. */
export interface AuditOptions extends InstanceSelection {
  /** True to rebuild instances that differ. Otherwise, nothing is written. */
  readonly apply?: true;
  /** True to check only status rows and business keys, without folding histories. */
  readonly rows?: true;
}

/** The audits of a page of instances. */
export interface AuditPage {
  readonly audits: readonly Audit[];
  /** The number of instances whose rebuild was requested. */
  readonly rebuilding: number;
  /** The cursor of the next page; undefined at the end. */
  readonly cursor: string | undefined;
}

const answer = v.object({
  audits: v.array(auditSchema),
  rebuilding: v.number(),
  cursor: v.optional(v.string()),
});
/** The number of instances per page. One invocation of the model's Lambda function audits one page. */
const pageSize = 50;

/**
 * Requests that the service compare a model's instances with their histories, using the deployed model. The service
 * finds instances by their commits and parked events, even if their status rows are missing.
 *
 * Throws `ApiError`.
 *
 * @param from the cursor where an earlier run stopped. Default: start a new run.
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
