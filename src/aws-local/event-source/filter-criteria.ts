import { compilePattern, type EventMatcher } from '../eventbridge/event-pattern.ts';

/**
 * The maximum number of filters of an event source mapping. In AWS, the default quota is five, which can be raised to
 * ten on request.
 */
const maximumFilters = 10;

/**
 * Compiles the filters of an event source mapping, which use the syntax of EventBridge patterns. A record matches if it
 * matches at least one filter.
 *
 * @param patterns the patterns as JSON.
 * @throws TypeError for more than ten patterns, a pattern that Lambda would reject, or an unsupported operator.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function filterMatcher(patterns: readonly string[]): EventMatcher {
  if (patterns.length > maximumFilters)
    throw new TypeError(
      `a mapping must have at most ${maximumFilters} filters; got ${patterns.length}`,
    );
  const matchers = patterns.map((pattern) => compilePattern(parsed(pattern)));
  return (record) => matchers.some((matches) => matches(record));
}

function parsed(pattern: string): unknown {
  try {
    return JSON.parse(pattern) as unknown;
  } catch {
    throw new TypeError(`a filter's pattern must be JSON; got ${pattern}`);
  }
}
