import type { Passage } from './passage.ts';
import { isProse } from './words.ts';

const hash = /(?<comment>(?:^[ \t]*# .*\n?)+|(?<=\s)# .*)/;
const slashes = /(?<comment>(?:^[ \t]*\/\/ .*\n?)+|(?<=\s)\/\/ .*)/;
const block = /\/\*\*(?<docstring>[\s\S]*?)\*\/|\/\*(?<comment>[\s\S]*?)\*\//;
const markup = /<!--(?<comment>[\s\S]*?)-->/;
const doubleQuoted = /"(?<message>(?:[^"\\\n]|\\.)*)"/;
const singleQuoted = /'(?<message>(?:[^'\\\n]|\\.)*)'/;

/** The patterns of prose by file name. The first pattern that matches at a position wins. */
const languages: readonly (readonly [file: RegExp, prose: readonly RegExp[]])[] = [
  [
    /\.py$/,
    [/"""(?<docstring>[\s\S]*?)"""/, /\bdef test_(?<test>\w+)/, hash, doubleQuoted, singleQuoted],
  ],
  [/\.(bash|fish|sh|zsh)$|^\.ci\/|\/shortcut\//, [hash, doubleQuoted, singleQuoted]],
  [/\.(go|java)$/, [block, slashes, doubleQuoted]],
  [/\.json$/, [slashes, doubleQuoted]],
  [/\.css$/, [block]],
  [/\.yml$/, [hash, /^ *(?:- )?(?:[\w-]+: )?(?<message>\w.*)/]],
  [
    /\.(html|vue)$/,
    [
      markup,
      slashes,
      /(?<=\s(?:alt|aria-label|content|placeholder|title)=")(?<message>[^"]+)/,
      /(?<=>)(?<text>[^<>{};]+)(?=<\/)/,
    ],
  ],
  [/\.(svg|xml)$/, [markup]],
  [/(dockerignore|gitignore|npmrc|Dockerfile|requirements\.txt)$|\.toml$/, [hash]],
];

/** Returns a function that extracts comments and messages from a file, or undefined if its language is unknown. */
export function commentReader(file: string): ((text: string) => Passage[]) | undefined {
  const prose = languages.find(([name]) => name.test(file))?.[1];
  if (!prose) return undefined;
  const pattern = new RegExp(prose.map(({ source }) => source).join('|'), 'gm');
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ index, groups = {} }): Passage[] => {
      const line = text.slice(0, index).split('\n').length;
      const { comment, docstring, message, test, text: visible } = groups;
      if (comment) return [{ file, line, kind: 'comment', text: withoutMarks(comment) }];
      if (docstring) return [{ file, line, kind: 'docstring', text: withoutMarks(docstring) }];
      if (test) return [{ file, line, kind: 'test name', text: test.replaceAll('_', ' ') }];
      if (visible) return [{ file, line, kind: 'text', text: visible.trim() }];
      const filled = message?.replace(placeholder, '`x`');
      return filled && isProse(filled) ? [{ file, line, kind: 'message', text: filled }] : [];
    });
}

/** The placeholders of format strings and of strings with variables. */
const placeholder = /%[a-z]|\$\w+|\{\w+\}/g;

/** Returns the text of a comment without the marks at the start of its lines. */
const withoutMarks = (comment: string) => comment.replace(/^[ \t]*(?:#|\/\/|\*)? ?/gm, '').trim();
