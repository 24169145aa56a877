import * as v from 'valibot';
import { exactObject } from '../../common/exact-object.ts';
import { issueText } from '../../common/schema-issues.ts';
import { timerFiredType } from '../effects/timer.ts';
import { MilepostError } from '../errors.ts';
import { eventType } from '../event/event.ts';
import { conflictsIn } from './conflicts.ts';
import { deadlineSchema } from './deadline-schema.ts';
import type { ProcessDeclaration } from './declaration.ts';
import { duration, pointer } from './schema-values.ts';

const own = v.pipe(
  eventType,
  v.check((type) => type !== timerFiredType, `${timerFiredType} is reserved for Milepost`),
);

const keptName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z][a-zA-Z0-9_-]{0,31}$/,
    ({ received }) =>
      `the name ${received} must have 1 to 32 characters from a-z, A-Z, 0-9, _, and -, and must start with a lowercase letter`,
  ),
);

const declaration = exactObject({
  id: v.string(),
  title: v.optional(v.string()),
  version: v.optional(v.number()),
  milestones: v.pipe(
    v.array(
      exactObject({
        id: v.string(),
        label: v.string(),
        on: v.optional(own),
        expectedWithin: v.optional(duration),
        deadline: v.optional(deadlineSchema(own)),
        optional: v.optional(v.boolean()),
      }),
    ),
    v.check(
      (milestones) => milestones.some(({ optional }) => !optional),
      'at least one must not be optional, or the process would never be done',
    ),
  ),
  cancelOn: v.optional(own),
  extendOn: v.optional(own),
  keep: v.optional(v.record(keptName, pointer)),
  reference: v.optional(v.string()),
  labels: v.optional(v.record(v.string(), v.record(v.string(), v.string()))),
  migrate: v.optional(v.function()),
});

/**
 * Validates a declaration, except for the rules that apply to every model, which `defineModel` checks.
 *
 * @throws MilepostError `bad-model`, which lists the mistakes. Contradictions are listed only if each value is valid by
 *   itself.
 */
export function checkDeclaration(declared: ProcessDeclaration): ProcessDeclaration {
  const parsed = v.safeParse(declaration, declared);
  const wrong = parsed.success
    ? conflictsIn(declared)
    : parsed.issues.map((issue) => issueText(issue));
  if (wrong.length === 0) return declared;
  throw new MilepostError(
    'bad-model',
    `process ${JSON.stringify(declared?.id)}: ${wrong.join('; ')}`,
  );
}
