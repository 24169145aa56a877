import pMap from 'p-map';
import { mapWithin } from '../../common/map-within.ts';
import { messageOf } from '../../common/message-of.ts';
import { storedReason } from '../../core/history/reason.ts';
import type { Audit } from '../../core/replay/audit.ts';
import type { AuditRequest } from '../protocol.ts';
import { foldingEnd } from './read-history.ts';
import { type VerifyDependencies, verifyInstance } from './verify-instance.ts';

/** The maximum number of instances that are folded concurrently. */
const concurrency = 4;
/**
 * The maximum total size of the audits, in bytes of JSON. Lambda limits a response to 6 MB and reports a larger
 * response as a function error.
 */
const maximumBytes = 4 * 1024 * 1024;

/**
 * Compares instances of one model with their histories, in the given order, without changing anything. If time runs
 * out or the response would be too large, the remaining instances are omitted; the first instance is always compared.
 *
 * @param until when time runs out, in milliseconds since 1970. Default: never.
 */
export async function auditInstances(
  dependencies: VerifyDependencies,
  { model, transactions, since, rowsOnly }: AuditRequest,
  until = Number.POSITIVE_INFINITY,
): Promise<Audit[]> {
  const { clock } = dependencies;
  const end = foldingEnd(clock, until);
  const audits = await pMap(
    transactions,
    async (transaction, index): Promise<Audit[]> => {
      if (index > 0 && clock.now() >= end) return [];
      try {
        const options = { since, rowsOnly, until: end };
        return [(await verifyInstance(dependencies, { model, transaction }, options)).audit];
      } catch (error) {
        return [{ ...notVerified, transaction, error: storedReason(messageOf(error)) }];
      }
    },
    { concurrency },
  );
  return mapWithin(
    maximumBytes,
    audits.flat(),
    (audit) => audit,
    (audit) => Buffer.byteLength(JSON.stringify(audit)),
  );
}

const notVerified = { version: 0, row: null, replayed: null, isAsFolded: true, skipped: false };
