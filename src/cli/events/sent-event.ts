import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';

/** The attributes that identify a sent event. */
export interface SentEvent extends InstanceKey {
  readonly source: string;
  readonly id: string;
}

const attributes = v.object({
  modelid: v.string(),
  transactionid: v.string(),
  id: v.string(),
  // As in the service, null is equivalent to a missing source.
  source: v.nullish(v.string(), 'unknown'),
});

/** Parses the attributes that identify an event. Returns undefined if the JSON is not an event. */
export function parseSentEvent(json: string): SentEvent | undefined {
  try {
    const { modelid, transactionid, id, source } = v.parse(attributes, JSON.parse(json));
    return { model: modelid, transaction: transactionid, id, source };
  } catch {
    return undefined;
  }
}
