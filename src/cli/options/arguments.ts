import { Argument, type Command, InvalidArgumentError } from 'commander';

/** Adds the arguments that identify an instance. */
export function withInstance(command: Command, required = true): Command {
  const argument = (name: string, description: string) =>
    new Argument(required ? `<${name}>` : `[${name}]`, description).argParser(pathSegment);
  return command
    .addArgument(argument('model', "the model's id"))
    .addArgument(argument('transaction', 'the transaction id, which identifies the instance'));
}

/** Adds the argument for a model. */
export function withModel(command: Command): Command {
  return command.addArgument(new Argument('<model>', "the model's id").argParser(pathSegment));
}

/** Validates text that becomes a segment of a URL path. Throws `InvalidArgumentError`. */
export function pathSegment(text: string): string {
  notEmpty(text);
  // URL parsers remove dot segments: https://url.spec.whatwg.org/#double-dot-path-segment
  if (text === '.' || text === '..')
    throw new InvalidArgumentError('It must not be . or .., which a URL path cannot contain.');
  return text;
}

/** Validates that text is not empty. Throws `InvalidArgumentError`, for example if a shell variable is not set. */
export function notEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Formats the examples below a command's options. */
export function examples(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  $ milepost ${line}`)].join('\n')}`;
}
