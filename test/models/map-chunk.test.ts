import { given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { mapChunk } from '../../models/map-chunk/model.ts';

const submitted = (items: number[], map: string, chunk = 3): TestEvent => ({
  type: 'chunk.submitted',
  source: 'milepost:map-reduce/J-1',
  data: { job: 'J-1', chunk, items, map },
});

describe('a map-chunk instance', () => {
  it.each([
    ['sum', 6],
    ['min', -2],
    ['max', 5],
    ['count', 3],
  ])('maps its items to their %s and sends the result back', (map, value) => {
    given(mapChunk)
      .when(submitted([3, -2, 5], map))
      .then(({ state, status, description, sent }) => {
        expect(state).toEqual({ value });
        expect(status).toBe('Mapped');
        expect(description.done).toBe(true);
        expect(sent).toEqual([
          {
            kind: 'emit',
            model: 'map-reduce',
            transaction: 'J-1',
            type: 'chunk.mapped',
            data: { chunk: 3, value },
          },
        ]);
      });
  });

  it.each(['sum', 'min', 'max', 'count'])('returns null for the %s of no items', (map) => {
    given(mapChunk)
      .when(submitted([], map))
      .then(({ state, status, sent }) => {
        expect(state).toEqual({ value: null });
        expect(status).toBe('Mapped');
        expect(sent).toMatchObject([{ data: { chunk: 3, value: null } }]);
      });
  });

  it.each(['shop', 'milepost:map-reduce/J-2'])('rejects items from %s', (source) => {
    given(mapChunk)
      .when({ ...submitted([1], 'sum'), source })
      .then(({ outcome, reason, sent }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('only map-reduce/J-1 can submit its chunks');
        expect(sent).toEqual([]);
      });
  });

  it('maps its items only once', () => {
    given(mapChunk, submitted([], 'sum'))
      .when(submitted([1], 'sum'))
      .then(({ outcome, reason, sent }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the chunk has already been mapped');
        expect(sent).toEqual([]);
      });
  });

  it('accepts as many items as fit into an event', () => {
    given(mapChunk)
      .when(
        submitted(
          Array.from({ length: 130_000 }, (_, i) => i % 10),
          'max',
        ),
      )
      .then(({ state }) => expect(state.value).toBe(9));
  });

  it('rejects items whose sum exceeds the range of a number', () => {
    given(mapChunk)
      .when(submitted([1e308, 1e308], 'sum'))
      .then(({ outcome, reason, status }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('too large');
        expect(status).toBe('New');
      });
  });

  const good = { job: 'J-1', chunk: 0, items: [1], map: 'sum' };
  it.each([
    ['no data', null],
    ['an empty job id', { ...good, job: '' }],
    ['a line break in the job id', { ...good, job: 'a\nb' }],
    ['a job id of 257 characters', { ...good, job: 'x'.repeat(257) }],
    ['a negative chunk number', { ...good, chunk: -1 }],
    ['a fractional chunk number', { ...good, chunk: 0.5 }],
    ['an item that is a string', { ...good, items: ['1'] }],
    ['an unknown map', { ...good, map: 'median' }],
  ])('rejects a chunk with %s', (_, data) => {
    given(mapChunk)
      .when({ type: 'chunk.submitted', data })
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('data: ');
        expect(state).toEqual({});
      });
  });
});
