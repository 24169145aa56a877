import { MilepostError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { ModelDescription } from '../core/registry-entry.ts';
import { isAsked } from './model-function/asked-model.ts';
import type { DataKeys } from './ports.ts';
import type { ModelAnswer, ModelRequest } from './protocol.ts';
import { openEvents } from './sealing/sealed-events.ts';
import { type TransitionEnvironment, transition } from './transition.ts';

/** What a model's Lambda has around it. */
export interface ModelEnvironment extends TransitionEnvironment {
  /** What opens the data of events that were parked; none where nothing is sealed. */
  readonly dataKeys?: DataKeys;
}

/**
 * Answers a request to a model's Lambda: events to apply, or what the model is.
 *
 * @param until when what is still to be applied is handed back, in milliseconds since 1970.
 * @throws MilepostError `bad-request` for anything else.
 */
export async function answerModelRequest(
  environment: ModelEnvironment,
  request: ModelRequest,
  until?: number,
): Promise<ModelAnswer | ModelDescription> {
  const { model } = environment;
  switch (request?.op) {
    case 'transition': {
      // What was parked was sealed.
      const { events } = request;
      const opened =
        request.resume && environment.dataKeys
          ? await openEvents(environment.dataKeys, events)
          : events;
      return { outcomes: await transition(environment, opened, { ...request, until }) };
    }
    case 'describe':
      return describeModel(isAsked(model) ? await model.describe() : model);
    default:
      throw new MilepostError(
        'bad-request',
        'a model takes {"op":"transition"} or {"op":"describe"}',
      );
  }
}

function describeModel(model: Model): ModelDescription {
  const { id, version, title, statuses, milestones, events, sensitive, diagram } = model;
  const eventTypes = Object.keys(events);
  return {
    id,
    version,
    title,
    statuses: [...statuses],
    milestones: [...milestones],
    eventTypes,
    ...(sensitive ? { sensitive: true } : {}),
    ...(diagram ? { diagram: { nodes: [...diagram.nodes], edges: [...diagram.edges] } } : {}),
  };
}
