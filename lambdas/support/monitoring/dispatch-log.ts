import type { DispatchLog } from '../../../src/dispatcher/dispatch-dependencies.ts';
import { warnOfEach } from './warn-of-each.ts';

export interface DispatchLogOptions {
  /** True to log the reasons for dead letters and parked events. These reasons can quote event data. */
  readonly eventData: boolean;
}

/**
 * Creates the dispatcher's log: a line for each dead letter and each parked event, with its ids, and for each batch
 * with records to retry, a line with their number and the reasons. The reasons for dead letters and parked events can
 * quote event data, so these reasons are logged only if the options allow it.
 *
 * @param console the log, whose lines Lambda formats as JSON with level, time, and request id.
 */
export function dispatchLog(
  { eventData }: DispatchLogOptions,
  console: Pick<Console, 'warn' | 'error'>,
): DispatchLog {
  return {
    deadLetters(letters) {
      const lines = letters.map(({ id, modelId, transactionId, eventId, reason }) => ({
        letter: id,
        model: modelId,
        transaction: transactionId,
        event: eventId,
        ...(eventData && { reason }),
      }));
      warnOfEach(console, 'dead letter', lines);
    },
    parked(parked) {
      const lines = parked.map(({ received: { event }, reason, fault }) => ({
        model: event.model,
        transaction: event.transaction,
        event: event.id,
        // False if the event is queued behind a faulty event.
        fault,
        ...(eventData && { reason }),
      }));
      // `warnOfEach` logs a limited number of lines, so list the faulty events before the events that wait behind them.
      warnOfEach(console, 'parked', [
        ...lines.filter(({ fault }) => fault),
        ...lines.filter(({ fault }) => !fault),
      ]);
    },
    failures(failures) {
      const reasons = [...new Set(failures.map(({ reason }) => reason))];
      console.error({ message: 'records to retry', count: failures.length, reasons });
    },
  };
}
