import type { TrackedEvent } from '../../../src/core/event/event.ts';
import type { PositionedEvent } from '../../../src/model-runtime/protocol.ts';

let drawn = 0;

/** An event of the counter model with default fields. */
export function event(more: Partial<TrackedEvent> = {}): TrackedEvent {
  return {
    id: more.id ?? `e${++drawn}`,
    source: 'test',
    type: 'added',
    model: 'counter',
    transaction: 'T1',
    time: '2026-01-01T00:00:00.000Z',
    data: { n: 1 },
    ...more,
  };
}

/** An event with a stream position. Higher positions arrive later. */
export function placed(
  place: number,
  more: Partial<TrackedEvent> = {},
  shard = 'shard-0',
): PositionedEvent {
  // The sequence number is as long as a sequence number of Kinesis so that code that compares it as text or as a
  // double fails.
  const sequence = String(
    49_600_000_000_000_000_000_000_000_000_000_000n * 10n ** 20n + BigInt(place),
  );
  return { event: event(more), position: { shard, sequence } };
}
