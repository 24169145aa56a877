import { describe, expect, it } from 'vitest';
import { failedItems, Harness, mappingIdentity, onlyShard } from './harness.ts';

const reportingItemFailures = { FunctionResponseTypes: ['ReportBatchItemFailures' as const] };

function fail(): never {
  throw new Error('the function failed');
}

describe('a partial batch response', () => {
  it('causes a redelivery that starts at the lowest reported sequence number', async () => {
    const harness = new Harness();
    const [a = '', b = '', c = '', d = ''] = harness.stream.put(onlyShard, 'a', 'b', 'c', 'd');
    const answers = [failedItems(d, b), null];
    harness.handler = () => answers.shift();
    await harness.run(reportingItemFailures);
    expect(harness.batches).toEqual([
      [a, b, c, d],
      [b, c, d],
    ]);
  });

  it('causes an immediate redelivery with all retries available if some records are completed', async () => {
    const harness = new Harness();
    const [a = '', b = '', c = ''] = harness.stream.put(onlyShard, 'a', 'b', 'c');
    harness.handler = (batch) => (batch.includes(c) ? failedItems(c) : null);
    await harness.run({ ...reportingItemFailures, MaximumRetryAttempts: 3 });
    expect(harness.batches).toEqual([[a, b, c], [c], [c], [c], [c]]);
    expect(harness.invocations[1]?.at).toBe(harness.invocations[0]?.at);
    expect(harness.discarded).toMatchObject([
      {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 4 },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: null },
        KinesisBatchInfo: { startSequenceNumber: c, endSequenceNumber: c, batchSize: 1 },
      },
    ]);
  });

  it('fails the whole batch if an item is invalid', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b');
    const answers = [failedItems(put[1], 'unknown'), null];
    harness.handler = () => answers.shift();
    await harness.run(reportingItemFailures);
    expect(harness.batches).toEqual([put, put]);
  });

  it('is ignored unless the event source mapping enables it', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = () => failedItems(put[0]);
    await harness.run();
    expect(harness.batches).toEqual([put]);
  });
});

describe('an event source that bisects batches on function errors', () => {
  it('retries halves separately and in order, without treating the split as a retry', async () => {
    const harness = new Harness();
    const [a = '', b = '', c = '', d = ''] = harness.stream.put(onlyShard, 'a', 'b', 'c', 'd');
    harness.handler = (batch) => (batch.includes(c) ? fail() : null);
    await harness.run({ BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1 });
    expect(harness.batches).toEqual([[a, b, c, d], [a, b], [c, d], [c], [c], [d]]);
    expect(harness.discarded.map((record) => record.KinesisBatchInfo)).toMatchObject([
      { startSequenceNumber: c, endSequenceNumber: c, batchSize: 1 },
    ]);
  });

  it('splits a batch at the checkpoint of a partial batch response instead of halving it', async () => {
    const harness = new Harness();
    const [a = '', b = '', c = '', d = ''] = harness.stream.put(onlyShard, 'a', 'b', 'c', 'd');
    const answers = [failedItems(b), null];
    harness.handler = () => answers.shift();
    await harness.run({ ...reportingItemFailures, BisectBatchOnFunctionError: true });
    expect(harness.batches).toEqual([
      [a, b, c, d],
      [b, c, d],
    ]);
  });

  it('halves a batch after a thrown error, even if partial batch responses are enabled', async () => {
    const harness = new Harness();
    const [a = '', b = ''] = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = (batch) => (batch.length > 1 ? fail() : null);
    await harness.run({ ...reportingItemFailures, BisectBatchOnFunctionError: true });
    expect(harness.batches).toEqual([[a, b], [a], [b]]);
  });
});

describe('the retry limit of an event source', () => {
  it('discards a batch after the maximum number of retries, with a complete invocation record', async () => {
    const harness = new Harness();
    const arrived = new Date(harness.clock.now()).toISOString();
    const [a = '', b = ''] = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = fail;
    await harness.run({ MaximumRetryAttempts: 2 });
    expect(harness.batches).toEqual([
      [a, b],
      [a, b],
      [a, b],
    ]);
    expect(harness.discarded).toEqual([
      {
        requestContext: {
          requestId: 'request',
          functionArn: mappingIdentity.functionArn,
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 3,
        },
        responseContext: {
          statusCode: 200,
          executedVersion: '$LATEST',
          functionError: 'Unhandled',
        },
        version: '1.0',
        timestamp: new Date(harness.invocations[2]?.at ?? 0).toISOString(),
        KinesisBatchInfo: {
          shardId: onlyShard,
          startSequenceNumber: a,
          endSequenceNumber: b,
          approximateArrivalOfFirstRecord: arrived,
          approximateArrivalOfLastRecord: arrived,
          batchSize: 2,
          streamArn: mappingIdentity.streamArn,
        },
        payload: harness.invocations[2]?.event,
      },
    ]);
  });

  it('discards a batch after its first failure if the limit is 0, and continues with the next batch', async () => {
    const harness = new Harness();
    const [a = '', b = ''] = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = (batch) => (batch.includes(a) ? fail() : null);
    await harness.run({ MaximumRetryAttempts: 0, BatchSize: 1 });
    expect(harness.batches).toEqual([[a], [b]]);
    expect(harness.discarded).toHaveLength(1);
  });

  it('retries a batch indefinitely, with bounded waits, if the limit is -1', async () => {
    const harness = new Harness({ pollIntervalMs: 3_600_000, discoveryIntervalMs: 3_600_000 });
    harness.stream.put(onlyShard, 'a');
    harness.handler = fail;
    const source = await harness.started();
    await harness.clock.advance(24 * 60 * 60 * 1000);
    const times = harness.invocations.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.slice(0, 4)).toEqual([150, 300, 600, 1200]);
    expect(pauses.at(-1)).toBe(22_500);
    expect(pauses.length).toBeGreaterThan(3000);
    expect(harness.discarded).toEqual([]);
    await harness.clock.runUntil(source.stop());
  });

  it('causes a log message for a discarded batch if no destination is configured', async () => {
    const harness = new Harness({ destination: undefined });
    const [, b] = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = (batch) => (batch.includes(b ?? '') ? null : fail());
    await harness.run({ MaximumRetryAttempts: 0, BatchSize: 1, DestinationConfig: undefined });
    expect(harness.batches).toHaveLength(2);
    expect(harness.logged).toContain('batch discarded: RetryAttemptsExhausted');
  });
});

describe('the maximum record age of an event source', () => {
  it('discards a batch whose records expire during retries', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = fail;
    await harness.run({ MaximumRecordAgeInSeconds: 60 });
    const invoked = harness.invocations.length;
    expect(invoked).toBeGreaterThan(3);
    expect(harness.discarded).toMatchObject([
      {
        requestContext: {
          condition: 'RecordAgeExceeded',
          approximateInvokeCount: invoked + 1,
        },
        KinesisBatchInfo: { startSequenceNumber: put[0], endSequenceNumber: put[1], batchSize: 2 },
        payload: harness.invocations[0]?.event,
      },
    ]);
    expect(harness.discarded[0]).not.toHaveProperty('responseContext');
  });

  it('discards only the expired records of a batch, without invoking the function with them', async () => {
    const harness = new Harness();
    const old = harness.stream.put(onlyShard, 'a', 'a');
    await harness.clock.advance(60_001);
    const young = harness.stream.put(onlyShard, 'a', 'a', 'a');
    await harness.run({ MaximumRecordAgeInSeconds: 60 });
    expect(harness.batches).toEqual([young]);
    expect(harness.discarded).toMatchObject([
      {
        requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 1 },
        KinesisBatchInfo: { startSequenceNumber: old[0], endSequenceNumber: old[1], batchSize: 2 },
      },
    ]);
  });

  it('does not discard a record that has exactly the maximum age', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(60_000);
    await harness.run({ MaximumRecordAgeInSeconds: 60 });
    expect(harness.batches).toEqual([put]);
  });
});

describe('throttled and unavailable invocations', () => {
  it.each(['throttled', 'unavailable'] as const)('are not counted as retries: %s', async (kind) => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    let calls = 0;
    harness.service = () => {
      calls += 1;
      return calls % 10 === 0 ? undefined : { kind, message: 'not now' };
    };
    harness.handler = () => {
      if (calls === 10) throw new Error('once');
    };
    await harness.run({ MaximumRetryAttempts: 1 });
    expect(harness.batches).toEqual([put, put]);
    expect(harness.discarded).toEqual([]);
  });

  it('include invocations whose call to Lambda fails', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    let outages = 3;
    harness.service = () => {
      outages -= 1;
      if (outages >= 0) throw new Error('socket hang up');
      return undefined;
    };
    await harness.run({ MaximumRetryAttempts: 0 });
    expect(harness.batches).toEqual([put]);
    expect(harness.discarded).toEqual([]);
  });

  it('are repeated until the records expire', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, 'a');
    harness.service = () => ({ kind: 'throttled', message: 'not now' });
    await harness.run({ MaximumRecordAgeInSeconds: 60 });
    expect(harness.invocations).toEqual([]);
    expect(harness.discarded).toMatchObject([
      { requestContext: { condition: 'RecordAgeExceeded' } },
    ]);
  });
});

describe('the on-failure destination of an event source', () => {
  it('receives a batch repeatedly until it accepts the batch, and then processing continues', async () => {
    const harness = new Harness();
    const [a = '', b = ''] = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = (batch) => (batch.includes(a) ? fail() : null);
    const take = harness.deliver;
    let refusals = 10;
    harness.deliver = async (record) => {
      expect(harness.batches.flat()).not.toContain(b);
      refusals -= 1;
      if (refusals >= 0) throw new Error('disk full');
      await take(record);
    };
    await harness.run({ MaximumRetryAttempts: 0, BatchSize: 1 });
    expect(harness.discarded.map((record) => record.KinesisBatchInfo?.startSequenceNumber)).toEqual(
      [a],
    );
    expect(harness.batches).toEqual([[a], [b]]);
  });

  it('holds back the checkpoint until it accepts the batch', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, 'a');
    harness.handler = fail;
    harness.deliver = () => Promise.reject(new Error('disk full'));
    const source = await harness.started({ MaximumRetryAttempts: 0 });
    await harness.clock.advance(600_000);
    await harness.clock.runUntil(source.stop());
    expect((await harness.checkpoints.load()).get(onlyShard)).toEqual({ at: 'TRIM_HORIZON' });
  });
});
