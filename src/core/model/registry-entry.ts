import * as v from 'valibot';
import { issuesText } from '../../common/schema-issues.ts';
import { MilepostError } from '../errors.ts';
import { modelIdPattern } from '../event/event.ts';

const text = v.pipe(v.string(), v.nonEmpty());

const description = v.object({
  id: v.pipe(v.string(), v.regex(modelIdPattern)),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  title: text,
  statuses: v.array(text),
  milestones: v.array(v.object({ id: text, label: text, optional: v.optional(v.boolean()) })),
  eventTypes: v.array(text),
  sensitive: v.optional(v.boolean()),
  diagram: v.optional(
    v.object({
      nodes: v.array(v.object({ id: text, label: v.string() })),
      edges: v.array(v.object({ from: text, to: text, label: v.string() })),
    }),
  ),
});

/** What a model's Lambda answers to `{"op":"describe"}`: everything people see of a model. */
export type ModelDescription = v.InferOutput<typeof description>;

/** A model as the registry keeps it: its description, and which function runs it. */
export interface RegistryEntry extends ModelDescription {
  /** Of the function as it was deployed last; after a rollback, with the number of an earlier version. */
  readonly functionArn: string;
  /** The version of the function's code that was described; none where none was published. */
  readonly functionVersion?: string;
  /** RFC 3339 in UTC. */
  readonly registeredAt: string;
}

/**
 * Checks what a model's Lambda answered; what the description does not know is dropped.
 *
 * @throws MilepostError `bad-model`, naming each wrong part
 */
export function parseDescription(answer: unknown): ModelDescription {
  const parsed = v.safeParse(description, answer);
  if (parsed.success) return parsed.output;
  throw new MilepostError('bad-model', `not a model's description: ${issuesText(parsed.issues)}`);
}
