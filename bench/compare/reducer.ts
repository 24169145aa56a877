import { type Account, activation } from '../../models/activation/model.ts';
import { unixSeconds } from '../../src/core/time/timestamp.ts';
import { eventOf, type WorkEvent } from '../support/work.ts';

/**
 * What an event makes of an account, by the rules of the shipped model itself, so that each side
 * does the same. The peers call them bare: no schema is checked and nothing is described.
 *
 * @throws Error where the rules reject the event: no event of the work is to be rejected.
 */
export function reduce(account: Account | undefined, event: WorkEvent): Account {
  const { transactionid: transaction, modelid: model, ...rest } = event;
  const tracked = { ...rest, model, transaction };
  const decision = activation.transition(tracked, account ?? activation.initial(tracked), {
    first: account === undefined,
  });
  if (decision.accepted) return decision.state;
  throw new Error(`${event.id} was rejected: ${decision.reason}`);
}

/** An instance's state after its first `count` events. */
export function stateAfter(transaction: string, count: number): Account {
  let account: Account | undefined;
  for (let n = 0; n < count; n++) account = reduce(account, eventOf(transaction, n));
  if (account === undefined) throw new Error('an instance without an event has no state');
  return account;
}

/** Whether an account shows an event, or a later one: each touches a service at its own time. */
export function shows(account: Account | undefined, { data, time }: WorkEvent): boolean {
  const service = account?.app[data.service];
  if (service === undefined) return false;
  return Math.max(service.ts, service.last_logon_ts ?? 0) >= unixSeconds(time);
}
