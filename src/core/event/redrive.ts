import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json/json.ts';
import type { InstanceKey, TrackedEvent } from './event.ts';
import { apiSource } from './reserved-source.ts';

/**
 * The type of the event that requests a redrive, which retries an instance's parked events. Like every event that
 * changes an instance, this event goes through the stream, so it stays in order with the instance's other events.
 */
const redriveType = 'milepost.redrive';

/** Builds the CloudEvent that requests a redrive of an instance. */
export function redriveEvent({ model, transaction }: InstanceKey): JsonObject {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: apiSource,
    type: redriveType,
    modelid: model,
    transactionid: transaction,
  };
}

/** Returns true if an event requests a redrive. A redrive event never reaches the model. */
export const isRedrive = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === redriveType && source === apiSource;
