import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { closestWord } from '../../src/common/closest-word.ts';

/** The maximum number of wrong characters in a misspelled option. */
const maximumEdits = 2;

/**
 * Adds a warning for each option that does not exist and resembles one that is not set, because a JavaScript program
 * can misspell an option, which would then have no effect. The option is not rejected, and options that resemble none
 * are ignored: an app can pass an object that also contains other settings, such as those of its stack.
 *
 * @param subject the subject of the warning, such as 'the tracker'.
 * @param options the names of all options.
 */
export function warnOfMisspelledOptions(
  scope: Construct,
  subject: string,
  props: object,
  options: readonly string[],
): void {
  const set = Object.entries(props).flatMap(([name, value]) => (value === undefined ? [] : name));
  const unset = options.filter((name) => !set.includes(name));
  for (const name of set) {
    if (options.includes(name)) continue;
    const closest = closestWord(name, unset, maximumEdits);
    if (closest !== undefined)
      Annotations.of(scope).addWarningV2(
        `milepost:option:${name}`,
        `${subject} has no option \`${name}\`; did you mean \`${closest}\`? If \`${name}\` is not meant for Milepost, acknowledge this warning`,
      );
  }
}
