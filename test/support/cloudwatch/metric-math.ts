/** A value for each period; undefined for a period without data. */
export type Series = readonly (number | undefined)[];

type Operator = (left: number, right: number) => number;

/** The operators. Comparisons return 1 for true and 0 for false. */
const operators: Readonly<Record<string, Operator>> = {
  AND: (left, right) => Number(left !== 0 && right !== 0),
  '>=': (left, right) => Number(left >= right),
  '<=': (left, right) => Number(left <= right),
  '>': (left, right) => Number(left > right),
  '<': (left, right) => Number(left < right),
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
};

/** The operators in order of precedence, lowest first. */
const levels = [['AND'], ['>=', '<=', '>', '<'], ['+', '-'], ['*']];

/**
 * Evaluates the part of CloudWatch's metric math that Milepost's alarms use: numbers, metrics, arithmetic, comparisons,
 * AND, and parentheses. If only one of two series has a value for a period, the missing value counts as 0.
 *
 * @param metrics the series by id, each with the same number of periods
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateMath(
  expression: string,
  metrics: ReadonlyMap<string, Series>,
): readonly (number | undefined)[] {
  const tokens = expression.match(/[a-z]\w*|AND|\d+|>=|<=|[-<>+*()]/g) ?? [];
  if (tokens.join('') !== expression.replaceAll(/\s/g, ''))
    throw new Error(`the evaluator does not support the expression ${expression}`);
  let next = 0;
  const parse = (level: number): Series | number => {
    if (level === levels.length) return operand();
    let left = parse(level + 1);
    while (levels[level]!.includes(tokens[next] ?? ''))
      left = combine(operators[tokens[next++]!]!, left, parse(level + 1));
    return left;
  };
  const operand = (): Series | number => {
    const token = tokens[next++] ?? '';
    if (token === '(') {
      const inner = parse(0);
      if (tokens[next++] !== ')') throw new Error(`${expression} lacks a parenthesis`);
      return inner;
    }
    if (/^\d/.test(token)) return Number(token);
    const series = metrics.get(token);
    if (!series) throw new Error(`${expression} refers to the unknown metric "${token}"`);
    return series;
  };
  const result = parse(0);
  if (typeof result === 'number' || next < tokens.length)
    throw new Error(`${expression} is not a time series`);
  return result;
}

function combine(operator: Operator, left: Series | number, right: Series | number) {
  if (typeof left === 'number')
    return typeof right === 'number'
      ? operator(left, right)
      : right.map((value) => (value === undefined ? undefined : operator(left, value)));
  if (typeof right === 'number')
    return left.map((value) => (value === undefined ? undefined : operator(value, right)));
  return left.map((value, period) => {
    const other = right[period];
    return value === undefined && other === undefined
      ? undefined
      : operator(value ?? 0, other ?? 0);
  });
}
