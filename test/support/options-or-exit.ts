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

/** Prints a reason and the usage to standard error, and exits with 2. */
export function exitWithUsage(reason: string, usage: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}
