import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Parses the command line of a program. If an option is unknown or lacks its value, exits with 2 and the usage. */
export function optionsOrExit<const Options extends ParseArgsOptionsConfig>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return exitWithUsage((error as Error).message, usage);
  }
}

/** The rules for numbers, each with the words of its error message. */
const rules = {
  'a positive integer': (value: number) => Number.isSafeInteger(value) && value > 0,
  'an integer': (value: number) => Number.isSafeInteger(value),
  'greater than 0': (value: number) => value > 0,
};

/** Parses the value of an option as a number. If the number violates the rule, exits with 2 and the usage. */
export function numberOrExit(
  name: string,
  text: string,
  rule: keyof typeof rules,
  usage: string,
): number {
  const value = Number(text);
  return rules[rule](value)
    ? value
    : exitWithUsage(`--${name} must be ${rule}; got ${text}`, usage);
}

/** Prints a reason and the usage to standard error, and exits with 2. */
function exitWithUsage(reason: string, usage: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}
