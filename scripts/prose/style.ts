import { type Finding, findingAt } from './finding.ts';
import type { Passage } from './passage.ts';

interface Pattern {
  readonly pattern: RegExp;
  readonly message: string;
  /** The kinds of prose to which the pattern applies. @default all */
  readonly kinds?: readonly Passage['kind'][];
}

/** Wording that reads like a literal translation. Each pattern has been found in this repository. */
const patterns: readonly Pattern[] = [
  {
    pattern: /^(What|Who|Where|Which|Why|How(?! (?:far|long|many|much|often)\b))\b(?!.*\?)/g,
    kinds: ['docstring'],
    message: 'open with a verb or a noun phrase that defines the thing',
  },
  {
    pattern: /(?<=^|[.:!?]\s+)Who(?= \w+s\b)(?![^.]*\?)/gm,
    message: 'name the subject: a caller, a reader, a writer',
  },
  { pattern: /\bwhoever\b/gi, message: 'name the subject: a caller, a reader, a writer' },
  {
    pattern: /\bwhat (could|can|cannot|must|may|might|should) (not )?be\b/gi,
    message: 'use a term in place of the clause',
  },
  { pattern: /\b(comes?|came) to be\b/gi, message: 'use "becomes"' },
  { pattern: /\bas (any|every) other\b/gi, message: 'use "like any other ..."' },
  { pattern: /\bis as it is\b|\bas it (was|is), and\b/gi, message: 'say which property stays' },
  { pattern: /\bfor \S+['’]s? sake\b/gi, message: 'use "because of" or "to ..."' },
  { pattern: /\b(is|are) not looked at\b/gi, message: 'use "is ignored"' },
  { pattern: /\b(is|are) not taken\b/gi, message: 'use "is rejected" or "is not accepted"' },
  { pattern: /\b(does|do) not count\b/gi, message: 'use "is ignored" or "is not counted"' },
  { pattern: /\bstill to come\b/gi, message: 'use "in the future" or "not yet"' },
  { pattern: /\bgoes? by\b/gi, message: 'use "sorts by", "filters on", or "depends on"' },
  {
    pattern: /\b(some|few) (seconds|minutes|hours|days|time)\b(?<!\ba few \w+)/gi,
    message: 'give the number, or use "a few"',
  },
  {
    pattern: /\b(events|records|requests|units|times|MB|KB) an? (second|minute|hour|day|month)\b/gi,
    message: 'use "per"',
  },
  { pattern: /(?<=^|[.!?]\s+)Not so\b/gm, message: 'use "Otherwise" or state the case' },
  { pattern: /\banew\b/gi, message: 'use "again"' },
  { pattern: /\bhas to do with\b/gi, message: 'name the relation' },
  { pattern: /\bin vain\b/gi, message: 'use "without success", or state the result' },
  { pattern: /\bdies behind\b|\bcrash(es)? behind\b/gi, message: 'use "after"' },
  { pattern: /\bmakes? (it|that) so\b|\bmade it so\b/gi, message: 'name the cause' },
  { pattern: /\bno such (thing|one)\b/gi, message: 'name the thing' },
  { pattern: /\bso it is\b|\bthus it\b/gi, message: 'state the case' },
];

/** Finds wording that violates the project's style. Code in backticks and code blocks is ignored. */
export function checkStyle(passage: Passage): Finding[] {
  const text = withoutCode(passage.text);
  return patterns
    .filter(({ kinds }) => !kinds || kinds.includes(passage.kind))
    .flatMap(({ pattern, message }) =>
      [...text.matchAll(pattern)].map((match) =>
        findingAt(passage, match.index, match[0], message),
      ),
    );
}

/** Replaces code with spaces so that offsets stay the same. */
const withoutCode = (text: string) =>
  text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '));
