import type { Operand } from './statement.ts';

const token =
  /\s*(?:"([^"]+)"|'((?:[^']|'')*)'|(-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)|([A-Za-z_]\w*)|(<=|>=|<>|[=<>?,:{}])|(\S))/gy;

export class UnexpectedTokenError extends Error {}

/** The kinds of tokens, in the order of the groups in the regular expression `token`. */
const kinds = ['name', 'text', 'number', 'word', 'sign', 'sign'] as const;

interface Token {
  readonly text: string;
  readonly kind: (typeof kinds)[number];
}

/** Reads the tokens of a statement one by one. Throws an `UnexpectedTokenError` if a token is not the expected one. */
export class TokenReader {
  /** The values that have been parsed so far. */
  readonly operands: Operand[] = [];
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = [...text.trim().matchAll(token)].map(([, ...groups]) => {
      const kind = groups.findIndex((group) => group !== undefined);
      return { text: groups[kind] ?? '', kind: kinds[kind] ?? 'sign' };
    });
  }

  get ended(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** Consumes the next token if it is the given keyword or sign. */
  skip(keyword: string): boolean {
    const next = this.#tokens[this.#at];
    const isUnquoted = next?.kind === 'word' || next?.kind === 'sign';
    const found = isUnquoted && next.text.toUpperCase() === keyword;
    if (found) this.#at += 1;
    return found;
  }

  expect(keyword: string): void {
    if (!this.skip(keyword)) throw new UnexpectedTokenError();
  }

  /** Consumes the name of a table or an attribute. */
  name(): string {
    return this.#next('name', 'text', 'word').text;
  }

  /** Consumes a value. */
  operand(): void {
    if (this.skip('?')) this.operands.push('parameter');
    else {
      const { text, kind } = this.#next('text', 'number');
      this.operands.push(kind === 'text' ? { S: text.replaceAll("''", "'") } : { N: text });
    }
  }

  #next(...allowed: readonly Token['kind'][]): Token {
    const next = this.#tokens[this.#at];
    if (next === undefined || !allowed.includes(next.kind)) throw new UnexpectedTokenError();
    this.#at += 1;
    return next;
  }
}
