import fc from 'fast-check';
import { given, type Result, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { mapChunk } from '../../models/map-chunk/model.ts';
import { mapReduce } from '../../models/map-reduce/model.ts';
import type { Json } from '../../src/core/json/json.ts';

type Job = Parameters<typeof mapReduce.describe>[0];
type Sent = Result<Job>['sent'];

const submitted = (items: readonly number[], more: object = {}): TestEvent => ({
  type: 'job.submitted',
  data: { items, ...more },
});
const mapped = (chunk: number, value: number | null): TestEvent => ({
  type: 'chunk.mapped',
  source: `milepost:map-chunk/test:${chunk}`,
  data: { chunk, value },
});
const oneToTen = Array.from({ length: 10 }, (_, i) => i + 1);

/** Applies events to a new job and returns the events that the job sends. */
function sentBy(...events: readonly [TestEvent, ...TestEvent[]]): Sent {
  let sent: Sent = [];
  given(mapReduce)
    .when(...events)
    .then((result) => {
      sent = result.sent;
    });
  return sent;
}

/** The results that the chunks of a job send back. */
function resultsOf(job: TestEvent): TestEvent[] {
  return sentBy(job).flatMap(({ type, data }) => {
    let back: TestEvent[] = [];
    given(mapChunk)
      .when({ type, source: 'milepost:map-reduce/test', data })
      .then(({ sent }) => {
        const { job, chunk } = data as { job: string; chunk: number };
        const source = `milepost:map-chunk/${job}:${chunk}`;
        back = sent.map((each) => ({ type: each.type, source, data: each.data }));
      });
    return back;
  });
}

const chunksOf = (job: TestEvent) => sentBy(job).map(({ data }) => (data as { items: Json }).items);

describe('the submission of a map-reduce job', () => {
  it('splits the items into ten chunks and sends each to a separate instance', () => {
    given(mapReduce)
      .when(submitted([...oneToTen, ...oneToTen]))
      .then(({ state, status, description, sent }) => {
        expect(state).toEqual({ chunks: 10, map: 'sum', results: {} });
        expect(status).toBe('Mapping');
        expect(description).toMatchObject({ done: false, progress: 0 });
        expect(sent).toHaveLength(10);
        expect(sent[1]).toEqual({
          kind: 'emit',
          model: 'map-chunk',
          transaction: 'test:1',
          type: 'chunk.submitted',
          data: { job: 'test', chunk: 1, items: [3, 4], map: 'sum' },
        });
      });
  });

  it('assigns the remaining items to the last chunk', () => {
    expect(chunksOf(submitted([1, 2, 3, 4, 5, 6, 7, 8], { chunks: 3 }))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6, 7, 8],
    ]);
    expect(chunksOf(submitted([1, 2], { chunks: 3 }))).toEqual([[], [], [1, 2]]);
    expect(chunksOf(submitted([1, 2], { chunks: 1 }))).toEqual([[1, 2]]);
  });

  it('accepts up to 1,000 chunks and does not store the items', () => {
    const items = Array.from({ length: 50_000 }, (_, i) => i % 10);
    given(mapReduce)
      .when(submitted(items, { chunks: 1000 }))
      .then(({ outcome, state, sent }) => {
        expect(outcome).toBe('applied');
        expect(sent).toHaveLength(1000);
        expect(JSON.stringify(state).length).toBeLessThan(100);
      });
  });

  it('is accepted only once', () => {
    given(mapReduce, submitted([1]))
      .when(submitted([2]))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the job has already been submitted');
      });
  });

  it.each([
    [null],
    [{}],
    [{ items: 'many' }],
    [{ items: [1, '2'] }],
    [{ items: [1], chunks: 0 }],
    [{ items: [1], chunks: 1001 }],
    [{ items: [1], chunks: 2.5 }],
    [{ items: [1], map: 'median' }],
  ])('rejects the data %j', (data) => {
    given(mapReduce)
      .when({ type: 'job.submitted', data })
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('data');
        expect(state).toEqual({ chunks: 0, results: {} });
      });
  });

  it('is accepted after an attempt with invalid data', () => {
    given(mapReduce)
      .when({ type: 'job.submitted', data: {} }, submitted([1]))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('applied');
        expect(state.chunks).toBe(10);
      });
  });

  it('rejects items whose sum exceeds the range of a number, but only if the job computes a sum', () => {
    given(mapReduce)
      .when(submitted([1e308, 1e308]))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('too large');
      });
    given(mapReduce)
      .when(submitted([1e308, 1e308], { map: 'max' }))
      .then(({ outcome }) => expect(outcome).toBe('applied'));
  });

  it.each([
    // The transaction id of a chunk is the job's id, a colon, and the chunk's number. This id has at most 256
    // characters.
    [254, 10, 'accepted', { accepted: true }],
    [255, 10, 'rejected', { accepted: false, reason: expect.stringContaining('too long') }],
    [252, 1000, 'accepted', { accepted: true }],
    [253, 1000, 'rejected', { accepted: false, reason: expect.stringContaining('too long') }],
  ])('with an id of %i characters and %i chunks is %s', (length, chunks, _, expected) => {
    // Each of these letters is one character and two UTF-16 units.
    const transaction = '𝕄'.repeat(length);
    const decision = mapReduce.transition(
      {
        id: 'e1',
        source: 'test',
        model: 'map-reduce',
        transaction,
        time: '2026-01-01T00:00:00Z',
        type: 'job.submitted',
        data: { items: [1], chunks, map: 'sum' },
      },
      { chunks: 0, results: {} },
      { first: true, recordedAt: '2026-01-01T00:00:00Z' },
    );
    expect(decision).toMatchObject(expected);
  });
});

describe('the reduction of a map-reduce job', () => {
  it('shows its progress and, after the last chunk, the result', () => {
    given(mapReduce, submitted(oneToTen, { chunks: 4 }), mapped(3, 34), mapped(0, 3))
      .when(mapped(1, 7))
      .then(({ state, status, description }) => {
        expect(state).toEqual({ chunks: 4, map: 'sum', results: { 0: 3, 1: 7, 3: 34 } });
        expect(status).toBe('Mapping');
        expect(description.progress).toBe(0.75);
      });
    given(mapReduce, submitted(oneToTen, { chunks: 4 }), mapped(3, 34), mapped(0, 3), mapped(1, 7))
      .when(mapped(2, 11))
      .then(({ state, status, description }) => {
        expect(state).toEqual({ chunks: 4, results: { 0: 3, 1: 7, 2: 11, 3: 34 }, result: 55 });
        expect(status).toBe('Reduced');
        expect(description).toMatchObject({ done: true, progress: 1 });
      });
  });

  it('counts a chunk once, even if a second result for the chunk differs', () => {
    given(mapReduce, submitted([1, 2], { chunks: 2 }), mapped(0, 1))
      .when(mapped(0, 99))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('chunk 0 has already been mapped');
        expect(state.results).toEqual({ 0: 1 });
      });
    given(mapReduce, submitted([1, 2], { chunks: 2 }), mapped(0, 1), mapped(1, 2))
      .when(mapped(1, 99))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('rejected');
        expect(state.result).toBe(3);
      });
  });

  it('rejects a chunk that the job did not send', () => {
    given(mapReduce, submitted([1, 2], { chunks: 2 }))
      .when(mapped(2, 5))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('there is no chunk 2');
      });
    given(mapReduce)
      .when(mapped(0, 5))
      .then(({ reason }) => expect(reason).toBe('there is no chunk 0'));
  });

  it.each(['shop', 'milepost:map-chunk/test:1', 'milepost:map-chunk/other:0'])(
    'rejects the result of a chunk from %s',
    (source) => {
      given(mapReduce, submitted([1, 2], { chunks: 2 }))
        .when({ ...mapped(0, 99), source })
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe('only map-chunk/test:0 can send the result of chunk 0');
          expect(state.results).toEqual({});
        });
    },
  );

  it.each([[{}], [{ chunk: -1, value: 1 }], [{ chunk: 0.5, value: 1 }], [{ chunk: 0 }]])(
    'rejects the data %j',
    (data) => {
      given(mapReduce, submitted([1]))
        .when({ type: 'chunk.mapped', data })
        .then(({ outcome, reason }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toContain('data');
        });
    },
  );

  it('rejects values whose sum exceeds the range of a number', () => {
    given(mapReduce, submitted([1, 2], { chunks: 2 }), mapped(0, 1.7e308))
      .when(mapped(1, 1.7e308))
      .then(({ outcome, status }) => {
        expect(outcome).toBe('rejected');
        expect(status).toBe('Mapping');
      });
  });

  it.each([
    ['sum', 0],
    ['count', 0],
    ['min', null],
    ['max', null],
  ])('returns the %s of no items', (map, result) => {
    const job = submitted([], { map, chunks: 2 });
    const [first, second] = resultsOf(job);
    given(mapReduce, job)
      .when(first!, second!)
      .then(({ state, status }) => {
        expect(state).toEqual({ chunks: 2, results: { 0: null, 1: null }, result });
        expect(status).toBe('Reduced');
      });
  });
});

describe('a map-reduce job with events in any order', () => {
  const plain = {
    sum: (items: number[]) => items.reduce((a, b) => a + b, 0),
    count: (items: number[]) => items.length,
    min: (items: number[]) => (items.length > 0 ? Math.min(...items) : null),
    max: (items: number[]) => (items.length > 0 ? Math.max(...items) : null),
  };
  const items = (item: fc.Arbitrary<number>) => fc.array(item, { maxLength: 60 });
  const chunks = fc.integer({ min: 1, max: 25 });

  it('has the same result as a single reduction of all items', () => {
    fc.assert(
      fc.property(
        items(fc.integer({ min: -1_000_000, max: 1_000_000 })),
        chunks,
        fc.constantFrom('sum', 'min', 'max', 'count'),
        fc.infiniteStream(fc.nat()),
        (numbers, count, map, order) => {
          const job = submitted(numbers, { chunks: count, map });
          const [first, ...more] = shuffled(resultsOf(job), order);
          given(mapReduce, job)
            .when(first!, ...more)
            .then(({ state, status, description, sent }) => {
              expect(state.result).toBe(plain[map](numbers));
              expect(Object.keys(state.results)).toHaveLength(count);
              expect(status).toBe('Reduced');
              expect(description.progress).toBe(1);
              expect(sent).toEqual([]);
            });
        },
      ),
    );
  });

  it('ends in exactly the same state, even if results arrive repeatedly', () => {
    const any = fc.double({ noNaN: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(items(any), chunks, fc.infiniteStream(fc.nat()), (numbers, count, order) => {
        const job = submitted(numbers, { chunks: count });
        const results = resultsOf(job);
        const ends = [results, shuffled([...results, ...results, results[0]!], order)].map(
          (all) => {
            let end = '';
            given(mapReduce, job)
              .when(all[0]!, ...all.slice(1))
              .then(({ state }) => {
                end = JSON.stringify(state);
              });
            return end;
          },
        );
        expect(ends[1]).toBe(ends[0]);
      }),
    );
  });
});

function shuffled<Item>(all: readonly Item[], order: Iterator<number>): Item[] {
  const left = [...all];
  return all.map(() => left.splice(Number(order.next().value) % left.length, 1)[0]!);
}
