/** A command line as Bash hands it to a completion, put together again. */
export interface BashWords {
  readonly words: readonly string[];
  /** How much of the last word, in UTF-16 units, Bash keeps and does not want to see again. */
  readonly kept: number;
}

/** Those of COMP_WORDBREAKS that the words of our commands have in them. */
const breaks = /^[=:@]+$/;

/**
 * Puts COMP_WORDS together again: Bash cuts words at some characters, so that `--status=Active` is
 * three words, and it keeps quotes and backslashes
 * (https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html).
 */
export function joinBashWords(cut: readonly string[]): BashWords {
  const words: string[] = [];
  let isOpen = false;
  for (const word of cut) {
    const isBreak = breaks.test(word) && words.length > 0;
    if (isOpen || isBreak) words.push(`${words.pop() ?? ''}${word}`);
    else words.push(word);
    isOpen = isBreak;
  }
  const last = cut.at(-1) ?? '';
  const typed = isOpen ? '' : unquoted(last);
  const plain = words.map((word) => unquoted(word));
  const whole = plain.at(-1) ?? '';
  const kept = whole.length - typed.length;
  // Behind an @ could be the name of a host, which Bash replaces together with it.
  return { words: plain, kept: whole[kept - 1] === '@' ? kept - 1 : kept };
}

const quoting = /\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?/gsu;

/** A word without its quotes, the last of which need not be closed yet. */
function unquoted(word: string): string {
  return word.replace(
    quoting,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? '',
  );
}
