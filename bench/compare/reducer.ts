import { type Account, activation } from '../../models/activation/model.ts';
import { unixSeconds } from '../../src/core/time/timestamp.ts';
import { eventOf, type WorkEvent } from '../support/work.ts';

/**
 * Applies an event to an account by the rules of the shipped model so that all systems do the same work. Unlike
 * Milepost, the other systems neither validate the event against a schema nor describe the state.
 *
 * @throws Error if the rules reject the event, which never happens with a workload's events.
 */
export function reduce(account: Account | undefined, event: WorkEvent): Account {
  const { transactionid: transaction, modelid: model, ...rest } = event;
  const tracked = { ...rest, model, transaction };
  const decision = activation.transition(tracked, account ?? activation.initial(tracked), {
    first: account === undefined,
    recordedAt: event.time,
  });
  if (decision.accepted) return decision.state;
  throw new Error(`${event.id} was rejected: ${decision.reason}`);
}

/** Returns the state of an instance after its first `count` events. */
export function stateAfter(transaction: string, count: number): Account {
  let account: Account | undefined;
  for (let n = 0; n < count; n++) account = reduce(account, eventOf(transaction, n));
  if (account === undefined) throw new Error('`count` must be at least 1');
  return account;
}

/**
 * Returns true if an account reflects an event or a later event of the same service. Each event sets the time of its
 * service.
 */
export function shows(account: Account | undefined, { data, time }: WorkEvent): boolean {
  const service = account?.app[data.service];
  if (service === undefined) return false;
  return Math.max(service.ts, service.last_logon_ts ?? 0) >= unixSeconds(time);
}
