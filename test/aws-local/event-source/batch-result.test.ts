import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BatchResult,
  decideRetry,
  type RetryPolicy,
  readBatchResponse,
} from '../../../src/aws-local/event-source/batch-result.ts';
import { failedItems } from './harness.ts';

const BATCH = ['9', '10', '11'];

describe('a partial batch response', () => {
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['an empty string', ''],
    ['an empty list', []],
    ['an empty object', {}],
    ['an unrelated object', { statusCode: 200 }],
    ['an object with null batchItemFailures', { batchItemFailures: null }],
    ['an object with empty batchItemFailures', { batchItemFailures: [] }],
  ])('that is %s is a success', (_name, response) => {
    expect(readBatchResponse(response, BATCH)).toEqual({ kind: 'succeeded' });
  });

  it.each([
    ['an empty identifier', failedItems('')],
    ['a null identifier', failedItems(null)],
    ['a missing identifier', { batchItemFailures: [{}] }],
    ['a wrong key', { batchItemFailures: [{ sequenceNumber: '10' }] }],
    ['an identifier that is a number', failedItems(10)],
    ['an identifier that is not in the batch', failedItems('12')],
    ['a valid identifier and an unknown identifier', failedItems('10', '12')],
    ['a valid identifier and null', failedItems('10', null)],
    ['an item that is a string', { batchItemFailures: ['10'] }],
    ['an item that is null', { batchItemFailures: [null] }],
    ['batchItemFailures that is not a list', { batchItemFailures: '10' }],
    ['a string instead of an object', 'OK'],
    ['a number instead of an object', 0],
    ['a list instead of an object', [{ itemIdentifier: '10' }]],
  ])('with %s fails the whole batch', (_name, response) => {
    expect(readBatchResponse(response, BATCH)).toEqual({ kind: 'failed' });
  });

  it('sets the checkpoint to the lowest reported sequence number, compared as an integer', () => {
    expect(readBatchResponse(failedItems('11', '10'), BATCH)).toEqual({
      kind: 'checkpoint',
      index: 1,
    });
    expect(readBatchResponse(failedItems('10', '9'), BATCH)).toEqual({
      kind: 'checkpoint',
      index: 0,
    });
  });

  it('can report an item more than once', () => {
    expect(readBatchResponse(failedItems('11', '11'), BATCH)).toEqual({
      kind: 'checkpoint',
      index: 2,
    });
  });

  it('never causes an error and is never a success if an item is invalid', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue(), { minLength: 1 }), (response, items) => {
        readBatchResponse(response, BATCH);
        expect(readBatchResponse({ batchItemFailures: items }, BATCH).kind).not.toBe('succeeded');
      }),
    );
  });
});

const failed: BatchResult = { kind: 'failed' };
const plain: RetryPolicy = { maxRetries: 2, bisects: false };
const bisecting: RetryPolicy = { maxRetries: 2, bisects: true };

function checkpointAt(index: number): BatchResult {
  return { kind: 'checkpoint', index };
}

describe('decideRetry', () => {
  it('completes all records of a successful batch', () => {
    expect(decideRetry({ records: [1, 2], failures: 1 }, { kind: 'succeeded' }, plain)).toEqual({
      kind: 'continue',
      completed: [1, 2],
      next: [],
    });
  });

  it('completes the records before a checkpoint and resets the failure count of the remaining records', () => {
    for (const policy of [plain, bisecting]) {
      expect(decideRetry({ records: [1, 2, 3, 4], failures: 2 }, checkpointAt(1), policy)).toEqual({
        kind: 'continue',
        completed: [1],
        next: [{ records: [2, 3, 4], failures: 0 }],
      });
    }
  });

  it('treats a checkpoint at the first record as a failure, but does not bisect the batch', () => {
    for (const policy of [plain, bisecting]) {
      expect(decideRetry({ records: [1, 2], failures: 0 }, checkpointAt(0), policy)).toEqual({
        kind: 'retry',
        next: { records: [1, 2], failures: 1 },
      });
    }
  });

  it('retries a failure exactly as many times as configured', () => {
    expect(decideRetry({ records: [1, 2], failures: 1 }, failed, plain)).toEqual({
      kind: 'retry',
      next: { records: [1, 2], failures: 2 },
    });
    expect(decideRetry({ records: [1, 2], failures: 2 }, failed, plain)).toEqual({
      kind: 'exhausted',
      failures: 3,
    });
  });

  it('bisects a failed batch without using a retry, even if no retries remain', () => {
    expect(decideRetry({ records: [1, 2, 3], failures: 2 }, failed, bisecting)).toEqual({
      kind: 'continue',
      completed: [],
      next: [
        { records: [1, 2], failures: 2 },
        { records: [3], failures: 2 },
      ],
    });
  });

  it('does not bisect a batch of one record', () => {
    expect(decideRetry({ records: [1], failures: 2 }, failed, bisecting)).toEqual({
      kind: 'exhausted',
      failures: 3,
    });
  });
});
