import { Argument, type Command, InvalidArgumentError, Option } from 'commander';

/**
 * Adds the arguments that identify an instance. Also accepts them as one argument, `model/transaction`, because
 * messages and lists show instances in this form.
 */
export function withInstance(command: Command, required = true): Command {
  const argument = (name: string, description: string) =>
    new Argument(`[${name}]`, description).argParser(pathSegment);
  if (required) command.usage('[options] <model> <transaction>');
  return command
    .addArgument(argument('model', "the model's id"))
    .addArgument(argument('transaction', 'the transaction id, which identifies the instance'))
    .hook('preAction', (_, self) => {
      const args: unknown[] = self.processedArgs;
      splitInstance(self, args);
      if (!required) return;
      const missing = ['model', 'transaction'].find((__, index) => args[index] === undefined);
      if (missing) self.error(`error: missing required argument '${missing}'`);
    });
}

/**
 * Splits a first argument such as `model/transaction` in place. The next argument, if any, then belongs to the third
 * argument of the command.
 */
function splitInstance({ registeredArguments }: Command, args: unknown[]): void {
  const [first, second, third] = args;
  // The id of a model contains no slash.
  const [, model, transaction] = /^([^/]+)\/(?!\.{1,2}$)(.+)$/s.exec(String(first)) ?? [];
  if (!model || !transaction) return;
  const last = registeredArguments[2];
  if (second === undefined) args.splice(0, 2, model, transaction);
  else if (last?.variadic) args.splice(0, 3, model, transaction, [second, ...(third as unknown[])]);
  else if (last && third === undefined) args.splice(0, 3, model, transaction, second);
}

/**
 * Adds the required argument for a model. Also accepts the model as `--model` because other commands have this option.
 */
export function withModel(command: Command): Command {
  return command
    .usage('[options] <model>')
    .addArgument(new Argument('[model]', "the model's id").argParser(pathSegment))
    .addOption(new Option('--model <model>').argParser(pathSegment).hideHelp())
    .hook('preAction', (_, self) => {
      self.processedArgs[0] = modelOf(self);
      if (self.processedArgs[0] === undefined)
        self.error("error: missing required argument 'model'");
    });
}

/** Adds the option `--model`. Also accepts the model as an argument because other commands have this argument. */
export function withModelOption(command: Command, description: string): Command {
  return command
    .usage('[options]')
    .addArgument(new Argument('[model]').argParser(pathSegment))
    .addOption(new Option('--model <model>', description).argParser(pathSegment))
    .hook('preAction', (_, self) => {
      self.setOptionValue('model', modelOf(self));
    });
}

function modelOf(self: Command): string | undefined {
  const argument: string | undefined = self.processedArgs[0];
  const option: string | undefined = self.opts().model;
  if (argument !== undefined && option !== undefined && argument !== option)
    self.error(`error: expected one model; got ${argument} and --model ${option}`);
  return argument ?? option;
}

/** Validates text that becomes a segment of a URL path. Throws `InvalidArgumentError`. */
export function pathSegment(text: string): string {
  notEmpty(text);
  // URL parsers remove dot segments: https://url.spec.whatwg.org/#double-dot-path-segment
  if (text === '.' || text === '..')
    throw new InvalidArgumentError('It must not be . or .., which a URL path cannot contain.');
  return text;
}

/** Rejects empty text, which usually means that a shell variable is not set. Throws `InvalidArgumentError`. */
export function notEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Formats the examples below a command's options. */
export function examples(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  $ milepost ${line}`)].join('\n')}`;
}
