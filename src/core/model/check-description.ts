import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { issuesText } from '../../common/schema-issues.ts';
import { parseJson } from '../json/parse-json.ts';
import { utcTime } from '../time/utc-time.ts';
import type { Description, KeyedDescription } from './description.ts';
import type { Model } from './model.ts';
import { InvalidResultError } from './model-fault.ts';
import { isReference, maximumReferenceLength } from './reference.ts';

/**
 * The maximum size of a description, in bytes of its JSON. The limit is small because a commit contains both the
 * description and the state.
 */
const maximumBytes = 8 * 1024;

const reference = v.pipe(
  v.string(),
  v.check(
    isReference,
    `must be well-formed text of 1 to ${maximumReferenceLength} characters without control characters`,
  ),
  v.metadata({ minLength: 1, maxLength: maximumReferenceLength }),
);

/** The schema of the result of `describe`. Times are converted to UTC. */
export const descriptionSchema = v.object({
  status: v.string(),
  done: v.optional(v.boolean()),
  progress: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  milestones: v.optional(
    v.array(
      v.pipe(
        v.object({
          id: v.string(),
          at: v.optional(utcTime),
          expectedBy: v.optional(utcTime),
          atRiskAt: v.optional(utcTime),
          paused: v.optional(v.boolean()),
          atRisk: v.optional(v.boolean()),
          late: v.optional(v.boolean()),
        }),
        v.check(
          ({ paused, at, expectedBy, late }) => !paused || (!at && !expectedBy && !late),
          'a paused milestone must not have `at` or `expectedBy`, and must not be late; omit `paused`',
        ),
      ),
    ),
  ),
  reference: v.optional(reference),
});

/**
 * Validates the result of a model's `describe`. Unknown members are dropped.
 *
 * @param before the description of the previous state. An equal description is not validated again.
 * @throws TypeError if the result is not a valid description for this model.
 */
export function checkDescription(
  model: Model,
  returned: unknown,
  before?: KeyedDescription,
): Description {
  const known = before && withoutKeys(before);
  const description = known && isDeepStrictEqual(returned, known) ? known : read(returned);
  const { status, milestones = [] } = description;
  if (!model.statuses.includes(status))
    throw new TypeError(
      `describe returned the status ${JSON.stringify(status)}, which is not declared in statuses`,
    );
  const declared = new Set(model.milestones.map(({ id }) => id));
  const unknown = milestones.find(({ id }) => !declared.has(id));
  if (unknown)
    throw new TypeError(
      `describe returned the milestone ${JSON.stringify(unknown.id)}, which is not declared in milestones`,
    );
  const ids = milestones.map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
    throw new TypeError(
      `describe returned the milestone ${JSON.stringify(repeated)} twice; return each milestone once`,
    );
  }
  return description;
}

const withoutKeys = ({ keys: _keys, ...description }: KeyedDescription): Description => description;

function read(returned: unknown): Description {
  const parsed = v.safeParse(descriptionSchema, returned);
  if (!parsed.success) {
    throw new TypeError(
      `describe returned an invalid description: ${issuesText(parsed.issues, 'the description')}`,
    );
  }
  const json = JSON.stringify(parsed.output);
  const bytes = Buffer.byteLength(json);
  if (bytes > maximumBytes)
    throw new InvalidResultError(
      `describe returned a description of ${bytes} bytes; the limit is ${maximumBytes}`,
    );
  // Parse the description from JSON so that it equals the stored description, which has no undefined members.
  return parseJson<Description>(json);
}
