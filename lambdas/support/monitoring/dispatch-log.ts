import type { DispatchLog } from '../../../src/dispatcher/dispatch-dependencies.ts';

/** How much a dispatcher's log says. */
export interface DispatchLogOptions {
  /** Whether it says why something is so, in words that may quote an event. */
  readonly eventData: boolean;
}

/** Of one kind and batch; a broken sender or model can fail a whole batch. */
const maximumLines = 20;

/**
 * Tells the log of what an operator may want to look at: a line for each record or event, with what
 * it is called. What events hold is not in it unless asked for: the dead letters have it.
 *
 * @param console where to: Lambda makes JSON of it, with level, time and request.
 */
export function dispatchLog(
  { eventData }: DispatchLogOptions,
  console: Pick<Console, 'warn' | 'error'>,
): DispatchLog {
  const warn = (message: string, all: readonly object[]) => {
    for (const each of all.slice(0, maximumLines)) console.warn({ message, ...each });
    if (all.length > maximumLines)
      console.warn({ message: `${message}: more`, count: all.length - maximumLines });
  };
  return {
    deadLetters(letters) {
      const lines = letters.map(({ id, modelId, transactionId, eventId, reason }) => ({
        letter: id,
        model: modelId,
        transaction: transactionId,
        event: eventId,
        ...(eventData && { reason }),
      }));
      warn('dead letter', lines);
    },
    parked(parked) {
      const lines = parked.map(({ received: { event }, reason, fault }) => ({
        model: event.model,
        transaction: event.transaction,
        event: event.id,
        // Not so, it only waits behind one of which it is so.
        fault,
        ...(eventData && { reason }),
      }));
      // First what the others wait for.
      warn('parked', [
        ...lines.filter(({ fault }) => fault),
        ...lines.filter(({ fault }) => !fault),
      ]);
    },
    failures(failures) {
      const reasons = [...new Set(failures.map(({ reason }) => reason))];
      console.error({ message: 'records to deliver again', count: failures.length, reasons });
    },
  };
}
