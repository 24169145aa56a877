import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Finding, findingAt } from './finding.ts';
import type { Passage } from './passage.ts';

/**
 * The part of harper.js that the prose check uses. Milepost declares this part because harper.js is a development tool
 * whose types may not be installed.
 */
interface Harper {
  readonly Dialect: { readonly American: number };
  readonly LocalLinter: new (options: {
    binary: unknown;
    dialect: number;
  }) => {
    setup(): Promise<void>;
    importWords(words: string[]): Promise<void>;
    getLintConfig(): Promise<Record<string, boolean | null>>;
    setLintConfig(config: Record<string, boolean | null>): Promise<void>;
    organizedLints(
      text: string,
      options: { language: 'markdown' },
    ): Promise<Record<string, Lint[]>>;
  };
}

interface Lint {
  get_problem_text(): string;
  message(): string;
  span(): { readonly start: number };
  free(): void;
}

/** The rules of Harper that are turned off, grouped by the reason. */
const disabled = [
  // Headings, and fragments in test names, options, and table cells, do not need capital letters.
  ['UseTitleCase', 'SentenceCapitalization', 'Spaces', 'UnclosedQuotes'],
  // Units, option names, and ranges are written in the same way as in code and in AWS's documentation.
  [
    'ExpandMemoryShorthands',
    'ExpandTimeShorthands',
    'ExpandControl',
    'ExpandParameter',
    'ExpandConfiguration',
    'OkToOkay',
  ],
  ['Dashes', 'NumericRangeEnDash', 'UseEllipsisCharacter', 'EllipsisLength', 'CurrencyPlacement'],
  // These rules mistake names in code for words: "redrive" for "red rive", and "i" for a pronoun.
  [
    'SplitWords',
    'MergeWords',
    'OrthographicConsistency',
    'CapitalizePersonalPronouns',
    'DisjointPrefixes',
    'CompoundNouns',
  ],
  // These rules are more often wrong than right for technical prose.
  [
    'MissingPreposition',
    'MissingTo',
    'PronounVerbAgreement',
    'PronounInflectionBe',
    'SingleBe',
    'OxfordComma',
    'QuantifierNumeralConflict',
  ],
  [
    'OneOfTheSingular',
    'ToTwoToo',
    'ItsContraction',
    'MassNouns',
    'Everyone',
    'NounVerbConfusion',
    'ThereIsAgreement',
    'HavePronoun',
    'PronounKnew',
    'WrongNegative',
    'ThatThan',
    'PhrasalVerbAsCompoundNoun',
    'InflectedVerbAfterTo',
    'Overall',
    'LetsConfusion',
  ],
].flat();

/** Matches names in code and abbreviations, such as "PutRecords", "ARN", and "p99". */
const name = /[a-z][A-Z]|[A-Z]{2}|\d|^.\.?$/;

/**
 * Creates a checker for spelling, grammar, and readability, based on Harper, which runs offline.
 *
 * @param modules the folder where `harper.js` is installed.
 */
export async function grammarChecker(
  modules: string,
): Promise<(passage: Passage) => Promise<Finding[]>> {
  const load = (path: string) =>
    import(pathToFileURL(join(modules, 'harper.js', 'dist', path)).href) as Promise<unknown>;
  const { LocalLinter, Dialect } = (await load('index.js')) as Harper;
  const { binary } = (await load('binary.js')) as { binary: unknown };
  const linter = new LocalLinter({ binary, dialect: Dialect.American });
  await linter.setup();
  const words = readFileSync(join(import.meta.dirname, 'dictionary.txt'), 'utf8');
  await linter.importWords(words.trim().split('\n'));
  const config = await linter.getLintConfig();
  await linter.setLintConfig({
    ...config,
    ...Object.fromEntries(disabled.map((rule) => [rule, false])),
  });

  return async (passage) => {
    const found = await linter.organizedLints(passage.text, { language: 'markdown' });
    return Object.entries(found).flatMap(([rule, lints]) =>
      lints.flatMap((lint) => {
        const excerpt = lint.get_problem_text();
        const finding = findingAt(
          passage,
          lint.span().start,
          excerpt,
          `${lint.message()} (${rule})`,
        );
        lint.free();
        return rule === 'SpellCheck' && name.test(excerpt) ? [] : [finding];
      }),
    );
  };
}
