import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { effectsSchema } from '../../core/effects/check-effects.ts';
import { modelIdPattern } from '../../core/event/event.ts';
import { descriptionSchema } from '../../core/model/check-description.ts';

/*
 * The protocol of model functions: see docs/reference/model-function-protocol.md. `npm run protocol` generates
 * protocol/*.schema.json from these schemas, and Milepost validates responses with them.
 */

/** The protocol version that these schemas describe. */
export const protocolVersion = 1;

const protocol = v.pipe(
  v.literal(protocolVersion, `protocol must be ${protocolVersion}`),
  v.description('The version of the protocol.'),
);
const name = v.pipe(
  v.string(),
  v.check((text) => text !== '' && hasAtMostCharacters(text, 256), 'must have 1 to 256 characters'),
  v.metadata({ minLength: 1, maxLength: 256 }),
);
const moment = v.pipe(v.string(), v.metadata({ format: 'date-time' }));
const paths = v.array(v.pipe(v.string(), v.regex(/^[^.]+(?:\.[^.]+)*$/)));

/** A model's description, as its function returns it. */
export const modelDescription = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.regex(modelIdPattern)),
    version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
    title: v.pipe(v.string(), v.minLength(1)),
    statuses: v.pipe(v.array(name), v.minLength(1)),
    milestones: v.optional(
      v.array(v.object({ id: name, label: name, optional: v.optional(v.boolean()) })),
      [],
    ),
    eventTypes: v.pipe(v.array(name), v.minLength(1)),
    sensitive: v.optional(
      v.object({
        state: v.optional(paths),
        events: v.optional(v.record(v.string(), paths)),
      }),
    ),
    diagram: v.optional(
      v.object({
        nodes: v.array(v.object({ id: name, label: v.string() })),
        edges: v.array(v.object({ from: name, to: name, label: v.string() })),
      }),
    ),
    labels: v.optional(
      v.pipe(
        v.record(v.string(), v.record(name, name)),
        v.description(
          'Translations for customer pages, by language and then by the title, status, or label that they translate.',
        ),
      ),
    ),
  }),
  v.description('The displayed properties of a model, and the events that it accepts.'),
);

const event = v.pipe(
  v.object({
    id: name,
    source: name,
    type: name,
    model: v.pipe(v.string(), v.regex(modelIdPattern)),
    transaction: name,
    time: moment,
    data: v.unknown(),
    replyTo: v.optional(v.object({ model: v.string(), transaction: v.string() })),
  }),
  v.description(
    'An event, with defaults in place of missing attributes. Source and id identify it permanently.',
  ),
);

/** An instance's next events, and its state before them. */
const instanceRequest = v.object({
  before: v.pipe(
    v.nullable(
      v.object({
        state: v.unknown(),
        modelVersion: v.pipe(v.number(), v.integer(), v.minValue(1)),
      }),
    ),
    v.description(
      'The state of the instance before the first of these events, and the version of the model that stored it; null for a new instance.',
    ),
  ),
  events: v.pipe(v.array(event), v.minLength(1)),
});

/** The request for the model's description. */
export const describeRequest = v.object({ protocol, op: v.literal('describe') });

/** The request to fold the next events of one or more instances. */
export const foldRequest = v.object({
  protocol,
  op: v.literal('fold'),
  instances: v.pipe(v.array(instanceRequest), v.minLength(1)),
});
export type FoldRequest = v.InferOutput<typeof foldRequest>;

/** Returns the schema of a state with its description and keys. */
const snapshot = <Description extends v.GenericSchema, Keys extends v.GenericSchema>(
  description: Description,
  keys: Keys,
) => v.object({ state: v.unknown(), description, keys: v.optional(keys) });

/** Returns the schema of one step: the result of applying one event. */
const stepOf = <After extends v.GenericSchema, Effects extends v.GenericSchema>(
  after: After,
  effects: Effects,
) =>
  v.variant('accepted', [
    v.object({ accepted: v.literal(true), after, effects: v.optional(effects) }),
    v.object({ accepted: v.literal(false), reason: v.string() }),
  ]);

const instanceOf = <After extends v.GenericSchema, Step extends v.GenericSchema>(
  after: After,
  step: Step,
) =>
  v.object({
    start: v.pipe(
      v.optional(after),
      v.description(
        'The state before the first of these events, if it differs from `before`: the initial state or a migrated state.',
      ),
    ),
    steps: v.array(step),
    fault: v.pipe(
      v.optional(v.string()),
      v.description('Why the event after the last step could not be folded.'),
    ),
    faultPlace: v.pipe(
      v.optional(v.string()),
      v.description('The position of the fault in the code, such as `loan.py:42 in transition`.'),
    ),
  });

const looseSnapshot = snapshot(v.unknown(), v.unknown());
/**
 * The outer structure of an instance's result. The steps are validated one by one, so an invalid step does not affect
 * the steps before it.
 */
export const looseInstance = instanceOf(looseSnapshot, v.unknown());
export const looseStep = stepOf(looseSnapshot, v.unknown());
export type SnapshotAnswer = v.InferOutput<typeof looseSnapshot>;
export type InstanceAnswer = v.InferOutput<typeof looseInstance>;

const keys = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9_-]{0,31}$/)),
    v.union([name, v.array(name)]),
  ),
  v.description('The business keys of the instance, such as a customer number.'),
);

const strictSnapshot = snapshot(descriptionSchema, keys);

/** The response to `describeRequest`. */
export const describeAnswer = v.object({ protocol, description: modelDescription });

/** The response to `foldRequest`, validated completely. */
export const foldAnswer = v.object({
  protocol,
  description: modelDescription,
  instances: v.array(instanceOf(strictSnapshot, stepOf(strictSnapshot, effectsSchema))),
});

/**
 * The response to `foldRequest` with unvalidated instances, so an invalid result for one instance does not affect other
 * instances.
 */
export const looseFoldAnswer = v.object({
  protocol,
  description: modelDescription,
  instances: v.array(v.unknown()),
});
