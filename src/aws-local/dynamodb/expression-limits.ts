/**
 * The maximum size of an expression, in bytes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters
 */
const maximumBytes = 4096;

/** The maximum number of operators and functions in an expression. */
const maximumOperators = 300;

/** Matches each operator or function of an expression. A word with a prefix is a placeholder, such as `#and`. */
const operatorPatterns = {
  // The `AND` of `BETWEEN` counts instead of `BETWEEN` itself. `IN` counts once for all its values.
  condition: /(?<![#:\w])(?:AND|OR|NOT|IN)\b|<[=>]|>=|[<=>]|(?<![#:\w])[a-z_]+(?=\s*\()/gi,
  update: /[-+]|(?<![#:\w])\w+(?=\s*\()/g,
};

interface Parser<Result> {
  parse: (expression: string, options: object) => Result | string;
}

/** Makes a parser return DynamoDB's message for an expression that is too long or has too many operators. */
export function limitExpressions<Result>(
  parser: Parser<Result>,
  kind?: keyof typeof operatorPatterns,
): void {
  const { parse } = parser;
  parser.parse = (expression, options) => {
    const bytes = Buffer.byteLength(expression);
    if (bytes > maximumBytes)
      return `Expression size has exceeded the maximum allowed size; expression size: ${bytes}`;
    const operators = kind ? (expression.match(operatorPatterns[kind])?.length ?? 0) : 0;
    // DynamoDB stops counting at the first operator that exceeds the limit.
    if (operators > maximumOperators)
      return `The expression contains too many operators; operator count: ${maximumOperators + 1}`;
    return parse(expression, options);
  };
}
