import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json/json.ts';
import type { InstanceKey, TrackedEvent } from './event.ts';
import { apiSource } from './reserved-source.ts';

/**
 * The type of the event that has an instance's parked events applied again.
 * Like everything that changes an instance it comes by the stream, where it
 * takes its turn among the instance's other events.
 */
const redriveType = 'milepost.redrive';

/** The redrive of an instance, as a CloudEvent for the stream. */
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

/** Whether an event asks for a redrive, and is not one for the model. */
export const isRedrive = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === redriveType && source === apiSource;
