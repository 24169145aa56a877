import { type InstanceKey, partitionKeyOf } from '../core/event/event.ts';
import { redriveEvent } from '../core/event/redrive.ts';
import type { OutgoingRecord } from './event-stream.ts';

/** Builds the record that requests a redrive of an instance. */
export function redriveRecord(instance: InstanceKey): OutgoingRecord {
  const data = Buffer.from(JSON.stringify(redriveEvent(instance)));
  return { partitionKey: partitionKeyOf(instance), data };
}
