import { describe, expect, it } from 'vitest';
import { authenticate } from '../../src/dispatcher/authenticate.ts';
import type { ReceivedEvent } from '../../src/stream/received-event.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { placed } from '../support/data/events.ts';

function received(place: number, transaction: string, source: string): ReceivedEvent {
  const { event, position } = placed(place, { transaction, source });
  const eventId = `${position.shard}:${position.sequence}`;
  const record: StreamRecord = {
    recordId: eventId,
    position,
    partitionKey: 'k',
    arrivedAt: 0,
    data: Buffer.from('{}'),
  };
  return { record, event };
}

describe('authenticate without readable signing keys', () => {
  it('tries to read the keys once per batch and accepts events from other systems', async () => {
    let reads = 0;
    const macs = {
      findFlaw: () => {
        reads++;
        return Promise.reject(new Error('no answer'));
      },
    };
    const own = Array.from({ length: 100 }, (_, n) => received(n, `T${n}`, 'milepost:clock'));
    const others = [received(200, 'T200', 'shop'), received(201, 'T0', 'shop')];
    const { genuine, forged, unverified, behind } = await authenticate(macs, [...own, ...others]);
    expect(reads).toBe(1);
    expect(genuine.map(({ event }) => event.transaction)).toEqual(['T200']);
    expect(forged).toEqual([]);
    expect(unverified).toHaveLength(100);
    // The event from `shop` for T0 must wait for an unverified event of T0, and is therefore also returned to the
    // stream.
    expect(behind).toHaveLength(1);
  });
});
