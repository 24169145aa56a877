import type { Observed, ObservedSummary } from '../observe/observed.ts';
import { instanceKey } from './expected-events.ts';

/**
 * Checks that lists contain exactly the started instances and the instances whose first event is parked. Each instance
 * must be listed once, with the values that the API returns for it.
 */
export function* checkLists({ histories, listed }: Observed): Generator<string> {
  const expected = new Map(
    histories
      .filter(({ instance: { startedAt, version } }) => startedAt !== null || version === 0)
      .map(({ instance }) => [instanceKey(instance.model, instance.transaction), instance]),
  );
  const found = new Set<string>();
  for (const summary of listed) {
    const key = instanceKey(summary.model, summary.transaction);
    if (found.has(key)) yield `${key} is listed twice`;
    found.add(key);
    const instance = expected.get(key);
    if (!instance) yield `${key} is listed, but has not started`;
    else if (factsOf(instance) !== factsOf(summary))
      yield `${key} is listed with ${factsOf(summary)}, but has ${factsOf(instance)}`;
  }
  for (const key of expected.keys()) if (!found.has(key)) yield `${key} is not listed`;
}

const factsOf = ({ status, done, parked, startedAt }: ObservedSummary) =>
  JSON.stringify({ status, done, parked, startedAt });
