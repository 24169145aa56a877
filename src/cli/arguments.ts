import { Argument, type Command, InvalidArgumentError } from 'commander';

/** Adds the two arguments that name an instance. */
export function withInstance(command: Command, required = true): Command {
  const argument = (name: string, description: string) =>
    new Argument(required ? `<${name}>` : `[${name}]`, description).argParser(pathPart);
  return command
    .addArgument(argument('model', "the model's id"))
    .addArgument(argument('transaction', 'the transaction id, which names the instance'));
}

function pathPart(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  // A URL's path cannot hold these two: https://url.spec.whatwg.org/#double-dot-path-segment
  if (text === '.' || text === '..') throw new InvalidArgumentError('A URL cannot hold it.');
  return text;
}

/** The text shown below a command's options. */
export function examples(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  $ milepost ${line}`)].join('\n')}`;
}
