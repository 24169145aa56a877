import type { Observed } from '../observe/observed.ts';
import type { Journal } from '../traffic/journal.ts';
import { checkDeadLetters } from './check-dead-letters.ts';
import { checkInstance } from './check-instance.ts';
import { checkLists } from './check-lists.ts';
import { checkOrder } from './check-order.ts';
import { checkParked } from './check-parked.ts';
import { checkSendings } from './check-sendings.ts';
import { expectedEvents, instanceKey } from './expected-events.ts';
import { fold } from './fold.ts';
import { divideLetters } from './parked-events.ts';
import type { Sending } from './rules/rules.ts';

/**
 * Compares everything that the service shows with the expected results of the records that producers sent.
 *
 * @param repaired the latest wave of repairs of the model `fragile`
 * @returns the findings; empty if every promise was kept
 */
export function audit(journal: Journal, observed: Observed, repaired: number): string[] {
  const expected = expectedEvents(journal);
  const { parked, invalid } = divideLetters(observed.deadLetters, expected);
  const findings: string[] = [];
  const sends: Sending[] = [];
  const missing = new Map(expected);
  for (const history of observed.histories) {
    const { model, transaction } = history.instance;
    const key = instanceKey(model, transaction);
    missing.delete(key);
    const events = expected.get(key) ?? new Map();
    const queue = parked.get(key) ?? { letters: [], keys: new Set() };
    const folded = fold(history);
    sends.push(...folded.sends);
    const ofInstance = [
      ...checkParked(history, events, queue, repaired),
      ...checkOrder(history.entries, events, queue.keys),
      ...folded.findings,
      ...(folded.findings.length > 0 ? [] : checkInstance(history, folded.timers)),
    ];
    findings.push(...ofInstance.map((finding) => `${model}/${transaction}: ${finding}`));
  }
  for (const [key, events] of missing)
    if ([...events.values()].some(({ isRequired }) => isRequired))
      findings.push(`${key} does not exist`);
  findings.push(...checkDeadLetters(journal, invalid));
  findings.push(...checkSendings(sends, observed.histories));
  findings.push(...checkLists(observed));
  if (!observed.isHealthy) findings.push('the service reports that it is not healthy');
  return findings;
}
