import pMap from 'p-map';
import { messageOf } from '../../common/message-of.ts';
import { storedReason } from '../../core/history/reason.ts';
import type { Audit } from '../../core/replay/audit.ts';
import type { AuditRequest } from '../protocol.ts';
import { type VerifyDependencies, verifyInstance } from './verify-instance.ts';

/** Instances that are folded side by side. */
const concurrency = 4;
/** For so long instances are folded at most, in milliseconds: whoever asks waits for an answer. */
const maximumDurationMs = 15_000;

/**
 * Holds instances of one model against their histories, in the order given, and writes nothing. Where
 * the time is over, the rest is left out; the first of them is always done.
 *
 * @param until when that is, in milliseconds since 1970.
 */
export async function auditInstances(
  environment: VerifyDependencies,
  { model, transactions, since, rowsOnly }: AuditRequest,
  until = Number.POSITIVE_INFINITY,
): Promise<Audit[]> {
  const { clock } = environment;
  const end = Math.min(until, clock.now() + maximumDurationMs);
  const audits = await pMap(
    transactions,
    async (transaction, index): Promise<Audit[]> => {
      if (index > 0 && clock.now() >= end) return [];
      try {
        const options = { since, rowsOnly, until: end };
        return [(await verifyInstance(environment, { model, transaction }, options)).audit];
      } catch (error) {
        return [{ ...notVerified, transaction, error: storedReason(messageOf(error)) }];
      }
    },
    { concurrency: concurrency },
  );
  return audits.flat();
}

const notVerified = { version: 0, row: null, replayed: null, isAsFolded: true, skipped: false };
