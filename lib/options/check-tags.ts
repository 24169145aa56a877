import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import { requireStrings } from './require-strings.ts';

/** The tag that every taggable resource of a tracker has. Its value is the name of the stream. */
export const trackerTag = 'milepost';

/** The characters that all AWS services accept in tags. */
const characters = /^[\p{L}\p{N}\p{Z}_.:/=+@-]*$/u;
const maximum = { tags: 50, key: 128, value: 256 } as const;

/**
 * Checks the tags of a tracker.
 *
 * @throws MilepostError `bad-request` for tags that AWS would reject, or that replace the tag `milepost`.
 * @see https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
 */
export function checkTags(tags: Readonly<Record<string, string>>): void {
  const reject = (reason: string): never => {
    throw new MilepostError('bad-request', `\`tags\` ${reason}`);
  };
  requireStrings('`tags`', tags, "{ team: 'delivery' }");
  const entries = Object.entries(tags);
  if (entries.length >= maximum.tags)
    reject(
      `must have at most ${maximum.tags - 1} entries, because AWS allows ${maximum.tags} tags and Milepost adds one; got ${entries.length}`,
    );
  for (const [key, value] of entries) {
    if (key === trackerTag)
      reject(
        `must not contain the name "${trackerTag}", which Milepost sets to the name of the stream`,
      );
    if (/^aws:/i.test(key)) reject(`must not contain names that start with "aws:"; got "${key}"`);
    if (key === '' || key.length > maximum.key || !characters.test(key))
      reject(
        `must have names of 1 to ${maximum.key} letters, digits, spaces, and _ . : / = + - @; got "${key}"`,
      );
    if (Token.isUnresolved(value)) continue;
    if (value.length > maximum.value || !characters.test(value))
      reject(
        `must have values of at most ${maximum.value} letters, digits, spaces, and _ . : / = + - @; got "${value}" for "${key}"`,
      );
  }
}
