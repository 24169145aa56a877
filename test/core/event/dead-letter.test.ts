import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadLetterId, deadLetterIdPattern } from '../../../src/core/event/dead-letter.ts';
import { sequenceInRecord } from '../../../src/core/history/sequence.ts';

const arrivedAt = Date.UTC(2026, 0, 1);
const shard = 'shardId-000000000000';
const idOf = (sequence: string, at = arrivedAt, stream = '') =>
  deadLetterId({
    recordId: `${stream}${shard}:${sequence}`,
    position: { shard, sequence },
    arrivedAt: at,
  });
/** Sequence numbers of one shard, as Kinesis assigns them. */
const first = 49590338271490256608559692538361571095921575989136588898n;

describe('ids of dead letters', () => {
  it('of one shard sort in stream order, even if the records arrived in the same millisecond', () => {
    const step = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2 }), (steps) => {
        let sequence = first;
        const ids = steps.map((each) => idOf(String((sequence += each))));
        expect(ids.toSorted()).toEqual(ids);
        expect(ids.every((id) => deadLetterIdPattern.test(id))).toBe(true);
      }),
    );
  });

  it('of an aggregated record sort by their place in the record', () => {
    const places = [0, 1, 2, 9, 10, 11, 999, 50_000];
    const ids = places.map((place) => idOf(sequenceInRecord(String(first), place)));
    const next = idOf(String(first + 1n));
    expect([...ids, next].toSorted()).toEqual([...ids, next]);
    expect(new Set([idOf(String(first)), ...ids]).size).toBe(places.length + 1);
  });

  it('sort by arrival time before they sort by sequence number', () => {
    expect(idOf('2', arrivedAt) < idOf('1', arrivedAt + 1)).toBe(true);
  });

  it('differ between streams, but are the same if a record is redelivered', () => {
    expect(idOf('1', arrivedAt, 'notifications/')).not.toBe(idOf('1'));
    expect(idOf('1')).toBe(idOf('1'));
  });

  it('have at most 48 characters, all of which are safe in URLs', () => {
    const id = idOf(sequenceInRecord('9'.repeat(60), 99_999_999));
    expect(id).toHaveLength(48);
    expect(encodeURIComponent(id)).toBe(id);
  });
});
