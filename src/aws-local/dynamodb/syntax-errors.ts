/** A syntax error from one of dynalite's parsers, with the position in the expression at which parsing failed. */
interface SyntaxErrorWithLocation extends SyntaxError {
  readonly location: { readonly start: { readonly offset: number } };
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Makes a parser report the first unexpected token of an expression and the tokens next to it, as DynamoDB does.
 * dynalite's message would list all characters that could follow.
 */
export function explainSyntaxErrors<Result>(parser: {
  parse: (expression: string, options: object) => Result;
}): void {
  const { parse } = parser;
  parser.parse = (expression, options) => {
    try {
      return parse(expression, options);
    } catch (error) {
      if (!isLocated(error)) throw error;
      const { offset } = error.location.start;
      throw syntaxErrorAt(offset, explain(expression, offset));
    }
  };
}

/**
 * Returns a syntax error at an offset in the expression. An offset past the last token, such as `Infinity`, means the
 * end of the expression.
 */
export const syntaxErrorAt = (
  offset: number,
  message = 'unexpected token',
): SyntaxErrorWithLocation =>
  Object.assign(new SyntaxError(message), { location: { start: { offset } } });

/** Adds the offset of a part of an expression to the location of a syntax error in this part. */
export const withOffset = (error: unknown, offset: number): unknown =>
  isLocated(error) ? syntaxErrorAt(offset + error.location.start.offset) : error;

const isLocated = (error: unknown): error is SyntaxErrorWithLocation =>
  error instanceof Error && error.name === 'SyntaxError' && 'location' in error;

function explain(expression: string, offset: number): string {
  const tokens = Array.from(
    expression.matchAll(/[#:]?\w+|<[=>]|>=|\S/gu),
    ({ 0: text, index: start }): Token => ({ text, start, end: start + text.length }),
  );
  const found = tokens.findIndex(({ end }) => end > offset);
  const n = found === -1 ? tokens.length : found;
  const { start = 0 } = tokens[n - 1] ?? tokens[n] ?? {};
  const { end = expression.length } = found === -1 ? {} : (tokens[n + 1] ?? tokens[n]!);
  return `token: "${tokens[n]?.text ?? '<EOF>'}", near: "${expression.slice(start, end)}"`;
}
