type Matcher = (line: unknown) => boolean;

const comparison =
  /^\$((?:\.\w+)+)\s*(?:(=|!=)\s*(?:"([^"]*)"|(\d+))|(IS TRUE|IS FALSE|IS NULL|NOT EXISTS))$/;

/**
 * Compiles a JSON filter pattern of CloudWatch Logs. The empty pattern matches every line. Supports only the syntax
 * that the runbooks use: comparisons with numbers or with strings, in which `*` is a wildcard; `IS …`; `NOT EXISTS`;
 * and `&&` and `||` without parentheses.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @throws Error for anything else
 */
export function compilePattern(pattern: string): (line: string) => boolean {
  if (pattern === '') return () => true;
  const [, inner] = /^\{\s*(.*?)\s*\}$/.exec(pattern) ?? [];
  if (inner === undefined) throw new Error(`not a JSON filter pattern: ${pattern}`);
  const alternatives = inner
    .split(/\s*\|\|\s*/)
    .map((alternative) => alternative.split(/\s*&&\s*/).map(matcherOf));
  return (line) => {
    if (!line.startsWith('{')) return false;
    const value: unknown = JSON.parse(line);
    return alternatives.some((all) => all.every((matches) => matches(value)));
  };
}

function matcherOf(text: string): Matcher {
  const [, path, operator, string, number, test] = comparison.exec(text) ?? [];
  if (path === undefined) throw new Error(`not a supported comparison: ${text}`);
  const names = path.slice(1).split('.');
  const read = (line: unknown) =>
    names.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      line,
    );
  if (test === 'IS TRUE') return (line) => read(line) === true;
  if (test === 'IS FALSE') return (line) => read(line) === false;
  if (test === 'IS NULL') return (line) => read(line) === null;
  if (test === 'NOT EXISTS') return (line) => read(line) === undefined;
  const wanted = string ?? number ?? '';
  const expression = new RegExp(`^${wanted.split('*').map(escaped).join('.*')}$`, 's');
  const isEqual = (line: unknown) => {
    const value = read(line);
    return (
      (typeof value === 'string' || typeof value === 'number') && expression.test(String(value))
    );
  };
  return operator === '=' ? isEqual : (line) => !isEqual(line);
}

const escaped = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
