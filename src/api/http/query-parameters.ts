import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { toUtc } from '../../core/time/timestamp.ts';

/** Creates a boolean parameter. An empty value, which forms send, is ignored. */
export const flag = (name: string, description: string) =>
  v.optional(
    v.pipe(
      v.boolean(({ received }) => `\`${name}\` must be true or false; got ${received}`),
      v.description(description),
    ),
  );

/** Creates a text parameter of at most 256 characters. An empty value is ignored. */
export function filter(name: string, description: string, ...examples: readonly string[]) {
  const rule = `\`${name}\` must have at most 256 characters`;
  return v.optional(
    v.pipe(
      v.string(rule),
      v.check((text) => hasAtMostCharacters(text, 256), withLength(rule)),
      v.metadata({ maxLength: 256, description, ...(examples.length > 0 && { examples }) }),
    ),
  );
}

/** Creates a required text parameter of 1 to 256 characters. */
export function requiredText(name: string, description: string, example: string) {
  const rule = `\`${name}\` must have 1 to 256 characters`;
  return v.pipe(
    v.string(rule),
    v.check((text) => text !== '' && hasAtMostCharacters(text, 256), withLength(rule)),
    v.metadata({ minLength: 1, maxLength: 256, description, examples: [example] }),
  );
}

/** Returns a function that builds the message about a text that violates a rule for its length. */
const withLength =
  (rule: string) =>
  ({ input }: { readonly input: string }) =>
    `${rule}; it has ${Array.from(input).length}`;

/** Creates a required time parameter, in RFC 3339. */
export function timeParameter(name: string, description: string, example: string) {
  const message = ({ received }: v.BaseIssue<unknown>) =>
    `\`${name}\` must be an RFC 3339 time, such as ${example}; got ${received}`;
  return v.pipe(
    v.string(message),
    v.check((text) => toUtc(text) !== undefined, message),
    v.metadata({ format: 'date-time', description }),
  );
}
