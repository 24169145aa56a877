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
  labels: v.optional(v.record(v.string(), v.record(v.string(), text))),
  diagram: v.optional(
    v.object({
      nodes: v.array(v.object({ id: text, label: v.string() })),
      edges: v.array(v.object({ from: text, to: text, label: v.string() })),
    }),
  ),
});

/**
 * The response of a model's Lambda function to `{"op":"describe"}`: the properties of the model that Milepost displays.
 */
export type ModelDescription = v.InferOutput<typeof description>;

/** A model in the registry: its description and the function that runs it. */
export interface RegistryEntry extends ModelDescription {
  /** The ARN of the model's Lambda function. After a rollback, the ARN contains the number of an earlier version. */
  readonly functionArn: string;
  /** The published version of the function that returned the description; undefined if no version was published. */
  readonly functionVersion?: string;
  /**
   * When the registration was requested, or the rollback performed, RFC 3339 in UTC. The latest request determines the
   * entry.
   */
  readonly registeredAt: string;
  /** The CloudFormation resource that registered the model: the ARN of its stack, and its logical id. */
  readonly registeredBy?: string;
  /**
   * The entry of another resource, which this entry replaced. It is restored if the deployment that created the resource
   * `registeredBy` fails.
   */
  readonly replaced?: RegistryEntry;
}

/**
 * The maximum size of a description as JSON, in bytes. DynamoDB limits an item to 400 KB, and an entry can contain the
 * entry that it replaced.
 */
const maximumBytes = 190 * 1024;

/**
 * Validates the description that a model's Lambda function returned. Unknown members are dropped.
 *
 * @throws MilepostError `bad-model`, naming each invalid part, or the size if the description is too large.
 */
export function parseDescription(returned: unknown): ModelDescription {
  const parsed = v.safeParse(description, returned);
  if (!parsed.success)
    throw new MilepostError('bad-model', `invalid model description: ${issuesText(parsed.issues)}`);
  const bytes = Buffer.byteLength(JSON.stringify(parsed.output));
  if (bytes > maximumBytes)
    throw new MilepostError(
      'bad-model',
      `the description of model "${parsed.output.id}", which includes its statuses, labels, and diagram, must have at most ${maximumBytes} bytes as JSON; got ${bytes}`,
    );
  return parsed.output;
}
