import { Argument, type Command, InvalidArgumentError } from 'commander';

/** Adds the two arguments that name an instance. */
export function withInstance(command: Command, required = true): Command {
  const argument = (name: string, description: string) =>
    new Argument(required ? `<${name}>` : `[${name}]`, description).argParser(pathSegment);
  return command
    .addArgument(argument('model', "the model's id"))
    .addArgument(argument('transaction', 'the transaction id, which names the instance'));
}

/** Adds the argument that names a model. */
export function withModel(command: Command): Command {
  return command.addArgument(new Argument('<model>', "the model's id").argParser(pathSegment));
}

/** Takes what names something in a URL's path. Throws `InvalidArgumentError` for what cannot. */
export function pathSegment(text: string): string {
  notEmpty(text);
  // A URL's path cannot hold these two: https://url.spec.whatwg.org/#double-dot-path-segment
  if (text === '.' || text === '..') throw new InvalidArgumentError('A URL cannot hold it.');
  return text;
}

/** Takes any text. Throws `InvalidArgumentError` for none, as of a shell's variable that is not set. */
export function notEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** The text shown below a command's options. */
export function examples(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  $ milepost ${line}`)].join('\n')}`;
}
