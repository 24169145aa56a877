import { describe, expect, it } from 'vitest';
import { afterInvoke, type RetryPolicy } from '../../../src/aws-local/event-source/after-invoke.ts';
import type { Verdict } from '../../../src/aws-local/event-source/response.ts';

const FAILED: Verdict = { kind: 'failed' };
const plain: RetryPolicy = { maxRetries: 2, bisects: false };
const bisecting: RetryPolicy = { maxRetries: 2, bisects: true };

function checkpointAt(index: number): Verdict {
  return { kind: 'checkpoint', index };
}

describe('afterInvoke', () => {
  it('completes all after success', () => {
    expect(afterInvoke({ records: [1, 2], failures: 1 }, { kind: 'succeeded' }, plain)).toEqual({
      kind: 'goOn',
      completed: [1, 2],
      next: [],
    });
  });

  it('completes what lies before a checkpoint, and counts the rest from nought', () => {
    for (const policy of [plain, bisecting]) {
      expect(afterInvoke({ records: [1, 2, 3, 4], failures: 2 }, checkpointAt(1), policy)).toEqual({
        kind: 'goOn',
        completed: [1],
        next: [{ records: [2, 3, 4], failures: 0 }],
      });
    }
  });

  it('takes a checkpoint at the first record for a failure that is not bisected', () => {
    for (const policy of [plain, bisecting]) {
      expect(afterInvoke({ records: [1, 2], failures: 0 }, checkpointAt(0), policy)).toEqual({
        kind: 'retry',
        next: { records: [1, 2], failures: 1 },
      });
    }
  });

  it('retries a failure as often as is allowed, and no more', () => {
    expect(afterInvoke({ records: [1, 2], failures: 1 }, FAILED, plain)).toEqual({
      kind: 'retry',
      next: { records: [1, 2], failures: 2 },
    });
    expect(afterInvoke({ records: [1, 2], failures: 2 }, FAILED, plain)).toEqual({
      kind: 'exhausted',
      failures: 3,
    });
  });

  it('bisects without consuming a retry, even when none is left', () => {
    expect(afterInvoke({ records: [1, 2, 3], failures: 2 }, FAILED, bisecting)).toEqual({
      kind: 'goOn',
      completed: [],
      next: [
        { records: [1, 2], failures: 2 },
        { records: [3], failures: 2 },
      ],
    });
  });

  it('cannot bisect one record', () => {
    expect(afterInvoke({ records: [1], failures: 2 }, FAILED, bisecting)).toEqual({
      kind: 'exhausted',
      failures: 3,
    });
  });
});
