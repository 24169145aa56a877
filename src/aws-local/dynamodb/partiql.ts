/** `INSERT INTO "table" VALUE {'name': ?, ...}` */
export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  /** The attributes, in the order of the parameters. */
  readonly names: readonly string[];
}

/** `UPDATE "table" SET name = ? REMOVE name WHERE name = ? AND ...` */
export interface Update {
  readonly kind: 'update';
  readonly table: string;
  /** The attributes to set, in the order of the parameters. The parameters of `where` follow. */
  readonly set: readonly string[];
  readonly remove: readonly string[];
  readonly where: readonly Condition[];
}

/** `DELETE FROM "table" WHERE name = ? AND ...` */
export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly where: readonly Condition[];
}

export type Statement = Insert | Update | Delete;

export interface Condition {
  readonly name: string;
  readonly operator: Comparison | 'MISSING' | 'NOT MISSING';
}

export type Comparison = (typeof comparisons)[number];

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
const token = /\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z_]\w*)|(<=|>=|<>|[=<>?,:{}])|(\S))/gy;

/** Parsed statements by their text, cached because most statements repeat with different parameters. */
const parsedStatements = new Map<string, Statement | null>();
const maximumParsedStatements = 100;

/**
 * Parses the subset of PartiQL that batches of conditional writes use: statements that write one item by its key, with
 * a parameter for every value. Returns null for anything else.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.statements.html
 */
export function parseStatement(text: string): Statement | null {
  let statement = parsedStatements.get(text);
  if (statement !== undefined) return statement;
  statement = read(text);
  if (parsedStatements.size === maximumParsedStatements) parsedStatements.clear();
  parsedStatements.set(text, statement);
  return statement;
}

function read(text: string): Statement | null {
  const words = new TokenReader(text);
  try {
    const statement = statementIn(words);
    return words.ended ? statement : null;
  } catch (error) {
    if (error instanceof UnexpectedTokenError) return null;
    throw error;
  }
}

function statementIn(words: TokenReader): Statement {
  if (words.skip('INSERT')) return insert(words);
  return words.skip('DELETE') ? deletion(words) : update(words);
}

function insert(words: TokenReader): Insert {
  words.expect('INTO');
  const table = words.name();
  words.expect('VALUE');
  words.expect('{');
  const names: string[] = [];
  do {
    names.push(words.name());
    words.expect(':');
    words.expect('?');
  } while (words.skip(','));
  words.expect('}');
  return { kind: 'insert', table, names };
}

function update(words: TokenReader): Update {
  words.expect('UPDATE');
  const table = words.name();
  const set: string[] = [];
  const remove: string[] = [];
  for (;;) {
    if (words.skip('SET')) {
      do {
        set.push(words.name());
        words.expect('=');
        words.expect('?');
      } while (words.skip(','));
    } else if (words.skip('REMOVE')) {
      do remove.push(words.name());
      while (words.skip(','));
    } else break;
  }
  return { kind: 'update', table, set, remove, where: conditions(words) };
}

function deletion(words: TokenReader): Delete {
  words.expect('FROM');
  return { kind: 'delete', table: words.name(), where: conditions(words) };
}

function conditions(words: TokenReader): Condition[] {
  words.expect('WHERE');
  const where: Condition[] = [];
  do where.push(condition(words));
  while (words.skip('AND'));
  return where;
}

function condition(words: TokenReader): Condition {
  const name = words.name();
  if (words.skip('IS')) {
    const operator = words.skip('NOT') ? 'NOT MISSING' : 'MISSING';
    words.expect('MISSING');
    return { name, operator };
  }
  const operator = comparisons.find((comparison) => words.skip(comparison));
  if (operator === undefined) throw new UnexpectedTokenError();
  words.expect('?');
  return { name, operator };
}

class UnexpectedTokenError extends Error {}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

class TokenReader {
  readonly #words: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#words = [...text.trim().matchAll(token)].map(([, double, single, word, sign, other]) => ({
      text: double ?? single ?? word ?? sign ?? other ?? '',
      quoted: (double ?? single) !== undefined,
    }));
  }

  get ended(): boolean {
    return this.#at === this.#words.length;
  }

  /** Consumes the next word if it is the given keyword or sign. */
  skip(keyword: string): boolean {
    const word = this.#words[this.#at];
    const found = word !== undefined && !word.quoted && word.text.toUpperCase() === keyword;
    if (found) this.#at += 1;
    return found;
  }

  expect(keyword: string): void {
    if (!this.skip(keyword)) throw new UnexpectedTokenError();
  }

  name(): string {
    const word = this.#words[this.#at];
    if (word === undefined || !(word.quoted || /^\w+$/.test(word.text)))
      throw new UnexpectedTokenError();
    this.#at += 1;
    return word.text;
  }
}
