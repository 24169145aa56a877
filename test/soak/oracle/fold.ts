import { isDeepStrictEqual } from 'node:util';
import type { ObservedEntry, ObservedHistory } from '../observe/observed.ts';
import { eventKey } from './expected-events.ts';
import { rulesOf } from './rules/index.ts';
import type { RuleEvent, Rules, Sending, Step } from './rules/rules.ts';

/** The result of folding a history with the oracle's own rules. */
export interface Folded {
  readonly findings: readonly string[];
  /** The events that the instance must have sent, in order. */
  readonly sends: readonly Sending[];
  /** The due times of the timers that must be running, by name, in milliseconds since 1970. */
  readonly timers: ReadonlyMap<string, number>;
}

/** Folds a history and compares every outcome, state, and status with those that the service reports. */
export function fold({ instance, entries }: ObservedHistory): Folded {
  const rules = rulesOf[instance.model];
  if (!rules)
    return { findings: [`there is no model ${instance.model}`], sends: [], timers: new Map() };
  const findings: string[] = [];
  const sends: Sending[] = [];
  const timers = new Map<string, number>();
  let state: unknown;
  for (const [n, entry] of entries.entries()) {
    const event = { ...entry.event, transaction: instance.transaction } as RuleEvent;
    if (n === 0) state = rules.initial(event);
    findings.push(...checkFired(event, timers));
    const recordedAt = Date.parse(entry.at);
    const step = rules.apply(state, event, { isFirst: n === 0, recordedAt, shown: entry.state });
    if (step) {
      ({ state } = step);
      sends.push(...(step.sends ?? []));
      changeTimers(timers, step);
    }
    findings.push(...checkEntry(entry, step, state, rules));
    // Stop, because the rest of the history would repeat the first finding.
    if (findings.length > 0) break;
  }
  return { findings, sends, timers };
}

function* checkFired({ type, source, data, time }: RuleEvent, timers: Map<string, number>) {
  if (type !== 'timer.fired') return;
  const name = String(data.name);
  const due = timers.get(name);
  if (due === undefined) yield `the timer ${name} fired, but was not running (${source})`;
  else if (Date.parse(time) !== due)
    yield `the timer ${name} was due at ${new Date(due).toISOString()}, not ${time}`;
  timers.delete(name);
}

function changeTimers(timers: Map<string, number>, { starts = {}, cancels = [] }: Step<unknown>) {
  for (const name of cancels) timers.delete(name);
  for (const [name, due] of Object.entries(starts)) timers.set(name, due);
}

function* checkEntry(
  { event, outcome, reason, state: shown, status: shownStatus }: ObservedEntry,
  step: Step<unknown> | undefined,
  state: unknown,
  rules: Rules<unknown>,
): Generator<string> {
  const wanted = step ? 'applied' : 'rejected';
  const where = `${event.type} ${eventKey(event)}`;
  if (outcome !== wanted) yield `${where} is ${outcome} (${reason}), but must be ${wanted}`;
  else if ((reason === null) !== (outcome === 'applied'))
    yield `${where} is ${outcome} with the reason ${reason}`;
  if (!isDeepStrictEqual(shown, state))
    yield `the state after ${where} is ${JSON.stringify(shown)}, but must be ${JSON.stringify(state)}`;
  const status = rules.statusOf(state);
  if (shownStatus !== status)
    yield `the status after ${where} is ${shownStatus}, but must be ${status}`;
}
