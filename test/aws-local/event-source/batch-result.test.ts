import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterInvoke,
  type RetryPolicy,
  readResponse,
  type Verdict,
} from '../../../src/aws-local/event-source/batch-result.ts';
import { failing } from './harness.ts';

const BATCH = ['9', '10', '11'];

describe('partial batch response', () => {
  it.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty string', ''],
    ['an empty list', []],
    ['an empty object', {}],
    ['an object about something else', { statusCode: 200 }],
    ['null batchItemFailures', { batchItemFailures: null }],
    ['empty batchItemFailures', { batchItemFailures: [] }],
  ])('%s is success', (_name, response) => {
    expect(readResponse(response, BATCH)).toEqual({ kind: 'succeeded' });
  });

  it.each([
    ['an empty identifier', failing('')],
    ['a null identifier', failing(null)],
    ['a missing identifier', { batchItemFailures: [{}] }],
    ['a wrong key', { batchItemFailures: [{ sequenceNumber: '10' }] }],
    ['an identifier that is a number', failing(10)],
    ['an identifier that is not in the batch', failing('12')],
    ['a good and an unknown identifier', failing('10', '12')],
    ['a good and a null identifier', failing('10', null)],
    ['an item that is a string', { batchItemFailures: ['10'] }],
    ['an item that is null', { batchItemFailures: [null] }],
    ['batchItemFailures that is no list', { batchItemFailures: '10' }],
    ['a string', 'OK'],
    ['a number', 0],
    ['a filled list', [{ itemIdentifier: '10' }]],
  ])('%s fails the whole batch', (_name, response) => {
    expect(readResponse(response, BATCH)).toEqual({ kind: 'failed' });
  });

  it('the lowest reported sequence number is the checkpoint, compared as an integer', () => {
    expect(readResponse(failing('11', '10'), BATCH)).toEqual({ kind: 'checkpoint', index: 1 });
    expect(readResponse(failing('10', '9'), BATCH)).toEqual({ kind: 'checkpoint', index: 0 });
  });

  it('takes the same item twice', () => {
    expect(readResponse(failing('11', '11'), BATCH)).toEqual({ kind: 'checkpoint', index: 2 });
  });

  it('never throws, and never takes an answer with a bad item for success', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue(), { minLength: 1 }), (response, items) => {
        readResponse(response, BATCH);
        expect(readResponse({ batchItemFailures: items }, BATCH).kind).not.toBe('succeeded');
      }),
    );
  });
});

const FAILED: Verdict = { kind: 'failed' };
const plain: RetryPolicy = { maxRetries: 2, bisects: false };
const bisecting: RetryPolicy = { maxRetries: 2, bisects: true };

function checkpointAt(index: number): Verdict {
  return { kind: 'checkpoint', index };
}

describe('afterInvoke', () => {
  it('completes all after success', () => {
    expect(afterInvoke({ records: [1, 2], failures: 1 }, { kind: 'succeeded' }, plain)).toEqual({
      kind: 'continue',
      completed: [1, 2],
      next: [],
    });
  });

  it('completes what lies before a checkpoint, and counts the rest from nought', () => {
    for (const policy of [plain, bisecting]) {
      expect(afterInvoke({ records: [1, 2, 3, 4], failures: 2 }, checkpointAt(1), policy)).toEqual({
        kind: 'continue',
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
      kind: 'continue',
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
