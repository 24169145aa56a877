import { readFileSync } from 'node:fs';
import { type Comment, parseSync } from 'oxc-parser';
import type { Passage } from './passage.ts';

/** Extracts the prose of a Markdown page, or the comments, messages and test names of a source file. */
export function extractProse(file: string): Passage[] {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.md'))
    return [{ file, line: 1, kind: 'page', text: withoutFrontMatter(text) }];
  return new SourceProse(file, text).passages();
}

/** Replaces front matter with empty lines, so that line numbers stay the same. */
const withoutFrontMatter = (text: string) =>
  text.replace(/^---\n[\s\S]*?\n---\n/, (matter) => matter.replace(/[^\n]/g, ''));

const testFunctions = new Set([
  'it',
  'describe',
  'test',
  'each',
  'for',
  'skipIf',
  'runIf',
  'concurrent',
]);

/**
 * A parsed node of a source file. Milepost declares this type because oxc's types do not support a walk over all nodes.
 */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

class SourceProse {
  readonly #file: string;
  readonly #text: string;
  readonly #isTest: boolean;
  readonly #found: Passage[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#isTest = /\.test\.tsx?$/.test(file);
  }

  passages(): Passage[] {
    const { program, comments } = parseSync(this.#file, this.#text);
    this.#readComments(comments);
    this.#walk(program as unknown as Node);
    return this.#found.toSorted((a, b) => a.line - b.line);
  }

  #readComments(comments: readonly Comment[]): void {
    let lines: Comment[] = [];
    const endLines = () => {
      if (lines[0])
        this.#add(lines[0].start, 'comment', lines.map(({ value }) => value.trim()).join('\n'));
      lines = [];
    };
    for (const comment of comments) {
      const previous = lines.at(-1);
      const continues =
        previous && /^\n[ \t]*$/.test(this.#text.slice(previous.end, comment.start));
      if (!continues || comment.type === 'Block') endLines();
      if (comment.type === 'Line') lines.push(comment);
      else
        this.#add(
          comment.start,
          comment.value.startsWith('*') ? 'docstring' : 'comment',
          commentText(comment.value),
        );
    }
    endLines();
  }

  #walk(node: Node): void {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'CallExpression' && this.#isTest && isTestCall(node)) {
      const [name] = node['arguments'] as Node[];
      const title = name && textOf(name);
      if (name && title) this.#add(name.start, 'test name', title);
    }
    const message = this.#isTest ? undefined : textOf(node);
    if (message && isProse(message)) this.#add(node.start, 'message', message);
    for (const member of Object.values(node))
      for (const child of Array.isArray(member) ? (member as unknown[]) : [member])
        if (isNode(child)) this.#walk(child);
  }

  #add(start: number, kind: Passage['kind'], text: string): void {
    if (!/[a-z]{2}/i.test(text)) return;
    const line = this.#text.slice(0, start).split('\n').length;
    this.#found.push({ file: this.#file, line, kind, text });
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/**
 * Returns true for at least four words that are not code in another language, such as CSS, SQL, a pattern or a command.
 */
const isProse = (message: string) =>
  /^\S+( \S+){3,}/.test(message.trim()) && !/[{}]|;.*;|^import |--\w| = |https?:/s.test(message);

/** Returns true if a call declares tests: `it(...)`, `it.each(...)(...)`, `describe.skipIf(...)(...)`, and so on. */
function isTestCall({ callee }: Node): boolean {
  let name = callee as Node;
  while (name.type === 'CallExpression' || name.type === 'MemberExpression')
    name = (name.type === 'CallExpression' ? name['callee'] : name['object']) as Node;
  return name.type === 'Identifier' && testFunctions.has(String(name['name']));
}

/** Returns the text of a string or a template. Replaces each placeholder with inline code. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('`x`');
}

/** Returns the text of a block comment without stars, code examples and link syntax. */
const commentText = (value: string) =>
  value
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .replace(/^@example\b[\s\S]*?(?=^@|$(?![\s\S]))/gm, (code) => code.replace(/[^\n]/g, ''))
    .replace(/\{@link (\S+?)\}/g, '`$1`')
    .replace(/^@(?:(?:param|typeParam) +\[?[\w.$]+\]?(?= |$)|[a-zA-Z]+\b) */gm, '')
    .trim();
