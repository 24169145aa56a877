import { MilepostError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { ModelDescription } from '../core/registry-entry.ts';
import type { ModelAnswer, ModelRequest } from './protocol.ts';
import { type TransitionEnvironment, transition } from './transition.ts';

/**
 * Answers a request to a model's Lambda: events to apply, or what the model is.
 *
 * @param until when what is still to be applied is handed back, in milliseconds since 1970.
 * @throws MilepostError `bad-request` for anything else.
 */
export async function answerModelRequest(
  environment: TransitionEnvironment,
  request: ModelRequest,
  until?: number,
): Promise<ModelAnswer | ModelDescription> {
  switch (request?.op) {
    case 'transition':
      return { outcomes: await transition(environment, request.events, { ...request, until }) };
    case 'describe':
      return describeModel(environment.model);
    default:
      throw new MilepostError(
        'bad-request',
        'a model takes {"op":"transition"} or {"op":"describe"}',
      );
  }
}

function describeModel(model: Model): ModelDescription {
  const { id, version, title, statuses, milestones, events, diagram } = model;
  const eventTypes = Object.keys(events);
  return {
    id,
    version,
    title,
    statuses: [...statuses],
    milestones: [...milestones],
    eventTypes,
    ...(diagram ? { diagram: { nodes: [...diagram.nodes], edges: [...diagram.edges] } } : {}),
  };
}
