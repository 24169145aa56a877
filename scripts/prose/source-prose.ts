import { type Comment, parseSync } from 'oxc-parser';
import { isNode, type Node, textOf } from './node.ts';
import type { Passage } from './passage.ts';
import { visibleText } from './visible-text.ts';
import { isProse } from './words.ts';

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

/** The prose of a file in TypeScript or JavaScript. */
export class SourceProse {
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
    this.#readComments(comments.filter(({ start }) => !this.#text.startsWith('#!', start)));
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
    if (!this.#isTest) this.#readText(node);
    for (const member of Object.values(node))
      for (const child of Array.isArray(member) ? (member as unknown[]) : [member])
        if (isNode(child)) this.#walk(child);
  }

  #readText(node: Node): void {
    const message = textOf(node);
    if (message && isProse(message)) this.#add(node.start, 'message', message);
    const visible = visibleText(node);
    if (visible) this.#add(node.start, 'text', visible.trim());
  }

  #add(start: number, kind: Passage['kind'], text: string): void {
    const line = this.#text.slice(0, start).split('\n').length;
    this.#found.push({ file: this.#file, line, kind, text });
  }
}

/** Returns true if a call declares tests: `it(...)`, `it.each(...)(...)`, `describe.skipIf(...)(...)`, and so on. */
function isTestCall({ callee }: Node): boolean {
  let name = callee as Node;
  while (name.type === 'CallExpression' || name.type === 'MemberExpression')
    name = (name.type === 'CallExpression' ? name['callee'] : name['object']) as Node;
  return name.type === 'Identifier' && testFunctions.has(String(name['name']));
}

/** Returns the text of a block comment without stars, code examples, and link syntax. */
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
