import type { Command, Option } from 'commander';
import { escapeMarkdown } from './escape-markdown.ts';
import { programToRead } from './program.ts';

/**
 * Generates the reference page of the Milepost CLI from the program: every command with its arguments, options, and
 * examples.
 */
export function commandLinePage(): string {
  const program = programToRead();
  return [
    '# Command line',
    'This page describes every command of `milepost`, as `milepost COMMAND --help` does. In the repository, run `npx milepost`. ' +
      'The exit status is 0 for success, 2 for incorrect usage, 130 after Ctrl+C (except for `watch` and `local`), and 1 for any other failure.',
    '## Options of every command',
    optionsTable([...program.options]),
    ...shown(program).flatMap((command) => section(command, 'milepost')),
  ].join('\n\n');
}

/** Returns the subcommands of a command, without hidden commands and `help`. */
const shown = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');

function section(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const help = helpOf(command);
  const examples = [...help.matchAll(/^ {2}\$ (milepost .*)$/gm)].map(([, line]) => line);
  const below = shown(command);
  return [
    `## ${name}`,
    escapeMarkdown(command.description()),
    block('sh', `${name} ${command.usage()}`),
    argumentsTable(command),
    optionsTable(command.options.filter(({ hidden }) => !hidden)),
    examples.length === 0 ? '' : block('sh', examples.join('\n')),
    ...below.flatMap((each) => section(each, name)),
  ].filter((part) => part !== '');
}

/** Returns the output of `--help`, including the text after the options. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 1000 });
  command.outputHelp();
  return text;
}

function argumentsTable({ registeredArguments }: Command): string {
  return table(
    'argument',
    registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      const about = withChoices(argument.description, argument.argChoices);
      return [argument.required ? `<${name}>` : `[${name}]`, about, ''];
    }),
  );
}

function optionsTable(options: readonly Option[]): string {
  return table(
    'option',
    options.map(({ flags, description, argChoices, defaultValue, defaultValueDescription }) => [
      flags,
      withChoices(description, argChoices),
      defaultValueDescription ?? (defaultValue === undefined ? '' : String(defaultValue)),
    ]),
  );
}

const withChoices = (description: string, choices: readonly string[] | undefined) =>
  choices ? [description, `one of ${choices.join(', ')}`].filter(Boolean).join('; ') : description;

function table(title: string, rows: readonly (readonly [string, string, string])[]): string {
  if (rows.length === 0) return '';
  return [
    `| ${title} | | default |`,
    '| --- | --- | --- |',
    ...rows.map(
      ([name, about, value]) => `| ${code(name)} | ${escapeMarkdown(about)} | ${code(value)} |`,
    ),
  ].join('\n');
}

const code = (text: string) => (text === '' ? '' : `\`${text.replaceAll('|', String.raw`\|`)}\``);
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
