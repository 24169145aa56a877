import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** `INSERT INTO "table" VALUE {'name': ?, ...}` */
export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  readonly names: readonly string[];
  /** The values of the attributes. */
  readonly operands: readonly Operand[];
}

/** `UPDATE "table" SET name = ? REMOVE name WHERE name = ? AND ...` */
export interface Update {
  readonly kind: 'update';
  readonly table: string;
  /** The attributes to set. */
  readonly set: readonly string[];
  readonly remove: readonly string[];
  readonly where: readonly Condition[];
  /** The values of `set`, followed by the values of `where`. */
  readonly operands: readonly Operand[];
}

/** `DELETE FROM "table" WHERE name = ? AND ...` */
export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly where: readonly Condition[];
  readonly operands: readonly Operand[];
}

/** `SELECT * FROM "table" WHERE name = ? AND ...`, or a list of attributes and their members instead of `*` */
export interface Select {
  readonly kind: 'select';
  readonly table: string;
  /** The path of each value, such as `['address', 'city']`. */
  readonly paths: 'all' | readonly (readonly string[])[];
  readonly where: readonly Condition[];
  readonly operands: readonly Operand[];
}

export type Statement = Insert | Update | Delete | Select;

/** A literal, or a placeholder for the next parameter. */
export type Operand = AttributeValue | 'parameter';

export interface Condition {
  readonly name: string;
  readonly operator: (typeof comparisons)[number] | 'MISSING' | 'NOT MISSING';
}

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
const token =
  /\s*(?:"([^"]+)"|'((?:[^']|'')*)'|(-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)|([A-Za-z_]\w*)|(<=|>=|<>|[=<>?,:{}])|(\S))/gy;

/** The cache of parsed statements, by text. Most statements repeat with different parameters. */
const parsedStatements = new Map<string, Statement | null>();
const maximumParsedStatements = 100;

/**
 * Parses a statement that reads or writes one item by its key, with parameters, strings, or numbers as values. Returns
 * null for any other statement.
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
  if (words.skip('DELETE')) return deletion(words);
  return words.skip('SELECT') ? selection(words) : update(words);
}

function insert(words: TokenReader): Insert {
  words.expect('INTO');
  const table = words.name();
  words.expect('VALUE');
  words.expect('{');
  const names: string[] = [];
  do names.push(assignment(words, ':'));
  while (words.skip(','));
  words.expect('}');
  return { kind: 'insert', table, names, operands: words.operands };
}

function update(words: TokenReader): Update {
  words.expect('UPDATE');
  const table = words.name();
  const set: string[] = [];
  const remove: string[] = [];
  for (;;) {
    if (words.skip('SET')) {
      do set.push(assignment(words, '='));
      while (words.skip(','));
    } else if (words.skip('REMOVE')) {
      do remove.push(words.name());
      while (words.skip(','));
    } else break;
  }
  return { kind: 'update', table, set, remove, where: conditions(words), operands: words.operands };
}

function deletion(words: TokenReader): Delete {
  words.expect('FROM');
  const table = words.name();
  return { kind: 'delete', table, where: conditions(words), operands: words.operands };
}

function selection(words: TokenReader): Select {
  const paths: string[][] = [];
  if (!words.skip('*')) {
    do paths.push(path(words));
    while (words.skip(','));
  }
  words.expect('FROM');
  const table = words.name();
  return {
    kind: 'select',
    table,
    paths: paths.length > 0 ? paths : 'all',
    where: conditions(words),
    operands: words.operands,
  };
}

/** Consumes the path of an attribute or of a member of a document, such as `address.city`. */
function path(words: TokenReader): string[] {
  const names: string[] = [];
  do names.push(words.name());
  while (words.skip('.'));
  return names;
}

/** Consumes a name, a sign, and a value, and returns the name. */
function assignment(words: TokenReader, sign: ':' | '='): string {
  const name = words.name();
  words.expect(sign);
  words.operand();
  return name;
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
  words.operand();
  return { name, operator };
}

class UnexpectedTokenError extends Error {}

/** The kinds of tokens, in the order of the groups in the regular expression `token`. */
const kinds = ['name', 'text', 'number', 'word', 'sign', 'sign'] as const;

interface Token {
  readonly text: string;
  readonly kind: (typeof kinds)[number];
}

class TokenReader {
  /** The values that have been parsed so far. */
  readonly operands: Operand[] = [];
  readonly #words: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#words = [...text.trim().matchAll(token)].map(([, ...groups]) => {
      const kind = groups.findIndex((group) => group !== undefined);
      return { text: groups[kind] ?? '', kind: kinds[kind] ?? 'sign' };
    });
  }

  get ended(): boolean {
    return this.#at === this.#words.length;
  }

  /** Consumes the next word if it is the given keyword or sign. */
  skip(keyword: string): boolean {
    const word = this.#words[this.#at];
    const isUnquoted = word?.kind === 'word' || word?.kind === 'sign';
    const found = isUnquoted && word.text.toUpperCase() === keyword;
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
    const word = this.#words[this.#at];
    if (word === undefined || !allowed.includes(word.kind)) throw new UnexpectedTokenError();
    this.#at += 1;
    return word;
  }
}
