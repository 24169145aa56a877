import type { Argument, Command, Option } from 'commander';
import type { Completion, Names } from './names.ts';

/** The completions at the cursor: words, or the kind of path that the shell itself must complete. */
export type Completions = readonly Completion[] | 'files' | 'folders';

/** The parsed command line up to the cursor. */
interface CompletionInput {
  readonly command: Command;
  readonly operands: readonly string[];
  /** The values of options, by their placeholders in the help, such as `status` in `--status <status>`. */
  readonly values: Readonly<Record<string, string>>;
  /** The option whose value is at the cursor. */
  readonly open: Option | undefined;
  /** True after `--`: all later words are arguments, not options. */
  readonly isPlain: boolean;
}

/**
 * Finds the completions of a command line.
 *
 * @param program the root command.
 * @param words the words after the program name; the last word is at the cursor and may be empty.
 * @param namesAt returns the names in the service at an address, or in the default service if the address is undefined.
 */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  namesAt: (address: string | undefined) => Names,
): Promise<Completions> {
  const word = words.at(-1) ?? '';
  const typed = readInput(program, words.slice(0, -1));
  const names = () => namesAt(typed.values.url);
  const { command, operands, open, isPlain } = typed;
  if (open) return matching(word, await valuesOf(open, word, typed, names));
  if (!isPlain && word.startsWith('-')) {
    const [name = '', ...value] = word.split('=');
    const option = value.length > 0 ? findOption(command, name) : undefined;
    if (!option) return matching(word, optionsOf(command));
    const found = await valuesOf(option, value.join('='), typed, names);
    if (typeof found === 'string') return found;
    return matching(
      word,
      found.map((each) => ({ ...each, word: `${name}=${each.word}` })),
    );
  }
  const argument = argumentAt(command, operands.length);
  const found = argument ? await valuesOf(argument, word, typed, names) : [];
  if (typeof found === 'string') return found;
  return matching(word, operands.length === 0 ? [...commandsOf(command), ...found] : found);
}

function readInput(program: Command, words: readonly string[]): CompletionInput {
  let command = program;
  let open: Option | undefined;
  let isPlain = false;
  const operands: string[] = [];
  const values: Record<string, string> = {};
  for (const word of words) {
    if (open) {
      values[placeholder(open)] = word;
      open = undefined;
    } else if (isPlain || !word.startsWith('-')) {
      const below =
        operands.length === 0 && !isPlain && command.commands.find((each) => each.name() === word);
      if (below) command = below;
      else operands.push(word);
    } else if (word === '--') isPlain = true;
    else {
      const [name = '', ...value] = word.split('=');
      const option = findOption(command, name);
      if (option?.required && value.length > 0) values[placeholder(option)] = value.join('=');
      else if (option?.required) open = option;
    }
  }
  return { command, operands, values, open, isPlain };
}

async function valuesOf(
  wanted: Option | Argument,
  word: string,
  { command, operands, values }: CompletionInput,
  names: () => Names,
): Promise<Completions> {
  if (wanted.argChoices) return wanted.argChoices.map((choice) => ({ word: choice, about: '' }));
  const first = command.registeredArguments[0]?.name() === 'model' ? operands[0] : undefined;
  const model = first ?? values.model;
  switch (placeholder(wanted)) {
    case 'path':
      return 'files';
    case 'folder':
      return 'folders';
    case 'model':
      return names().models();
    case 'transaction':
      return names().transactions(model, word);
    case 'type':
      return names().eventTypes(model);
    case 'status':
      return names().statuses(model);
    case 'link-id':
      return names().links(operands[0], operands[1]);
    case 'command-name':
      return commandsOf(subcommand(command.parent!, operands));
    case 'function-version':
      return names().versions(model);
    default:
      return [];
  }
}

/** Returns the placeholder of an argument or of an option's value in the help. */
function placeholder(wanted: Option | Argument): string {
  if ('flags' in wanted) return /<(.+)>/.exec(wanted.flags)?.[1] ?? '';
  return wanted.name();
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

function allOptions(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function findOption(command: Command, name: string): Option | undefined {
  return allOptions(command).find(({ long, short }) => name === long || name === short);
}

function optionsOf(command: Command): Completion[] {
  return allOptions(command).flatMap(({ long, description }) =>
    long ? [{ word: long, about: description }] : [],
  );
}

function commandsOf(command: Command): Completion[] {
  const help = command.createHelp();
  return help.visibleCommands(command).map((each) => ({
    word: each.name(),
    about: help.subcommandDescription(each),
  }));
}

/** Returns the subcommand with the given path of names. Skips names that do not exist. */
function subcommand(command: Command, names: readonly string[]): Command {
  return names.reduce(
    (above, name) => above.commands.find((each) => each.name() === name) ?? above,
    command,
  );
}

function matching(word: string, completions: Completions): Completions {
  if (typeof completions === 'string') return completions;
  return completions.filter((each) => each.word.startsWith(word));
}
