import {
  type Condition,
  comparisons,
  type Delete,
  type Insert,
  type Select,
  type Statement,
  type Update,
} from './statement.ts';
import { TokenReader, UnexpectedTokenError } from './token-reader.ts';

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
  const tokens = new TokenReader(text);
  try {
    const statement = statementIn(tokens);
    return tokens.ended ? statement : null;
  } catch (error) {
    if (error instanceof UnexpectedTokenError) return null;
    throw error;
  }
}

function statementIn(tokens: TokenReader): Statement {
  if (tokens.skip('INSERT')) return insert(tokens);
  if (tokens.skip('DELETE')) return deletion(tokens);
  return tokens.skip('SELECT') ? selection(tokens) : update(tokens);
}

function insert(tokens: TokenReader): Insert {
  tokens.expect('INTO');
  const table = tokens.name();
  tokens.expect('VALUE');
  tokens.expect('{');
  const names: string[] = [];
  do names.push(assignment(tokens, ':'));
  while (tokens.skip(','));
  tokens.expect('}');
  return { kind: 'insert', table, names, operands: tokens.operands };
}

function update(tokens: TokenReader): Update {
  tokens.expect('UPDATE');
  const table = tokens.name();
  const set: string[] = [];
  const remove: string[] = [];
  for (;;) {
    if (tokens.skip('SET')) {
      do set.push(assignment(tokens, '='));
      while (tokens.skip(','));
    } else if (tokens.skip('REMOVE')) {
      do remove.push(tokens.name());
      while (tokens.skip(','));
    } else break;
  }
  return {
    kind: 'update',
    table,
    set,
    remove,
    where: conditions(tokens),
    operands: tokens.operands,
  };
}

function deletion(tokens: TokenReader): Delete {
  tokens.expect('FROM');
  const table = tokens.name();
  return { kind: 'delete', table, where: conditions(tokens), operands: tokens.operands };
}

function selection(tokens: TokenReader): Select {
  const paths: string[][] = [];
  if (!tokens.skip('*')) {
    do paths.push(path(tokens));
    while (tokens.skip(','));
  }
  tokens.expect('FROM');
  const table = tokens.name();
  return {
    kind: 'select',
    table,
    paths: paths.length > 0 ? paths : 'all',
    where: conditions(tokens),
    operands: tokens.operands,
  };
}

/** Consumes the path of an attribute or of a member of a document, such as `address.city`. */
function path(tokens: TokenReader): string[] {
  const names: string[] = [];
  do names.push(tokens.name());
  while (tokens.skip('.'));
  return names;
}

/** Consumes a name, a sign, and a value, and returns the name. */
function assignment(tokens: TokenReader, sign: ':' | '='): string {
  const name = tokens.name();
  tokens.expect(sign);
  tokens.operand();
  return name;
}

function conditions(tokens: TokenReader): Condition[] {
  tokens.expect('WHERE');
  const where: Condition[] = [];
  do where.push(condition(tokens));
  while (tokens.skip('AND'));
  return where;
}

function condition(tokens: TokenReader): Condition {
  const name = tokens.name();
  if (tokens.skip('IS')) {
    const operator = tokens.skip('NOT') ? 'NOT MISSING' : 'MISSING';
    tokens.expect('MISSING');
    return { name, operator };
  }
  const operator = comparisons.find((comparison) => tokens.skip(comparison));
  if (operator === undefined) throw new UnexpectedTokenError();
  tokens.operand();
  return { name, operator };
}
