import type { Clock } from '../../common/clock.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import type { BatchCounts, DispatchOutcome, ModelCounts } from './metrics.ts';
import type { Span } from './span-exporter.ts';

/** Records the outcomes of a batch's events, from which metrics and traces are created. */
export class BatchRecorder implements BatchCounts {
  readonly models = new Map<string, ModelCounts>();
  readonly spans: Span[] = [];
  records = 0;
  deadLetters = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts the batch's stream records. Omits the parts of aggregated records that Lambda has split. */
  recordArrivals(records: readonly StreamRecord[]): void {
    const bySequence = Map.groupBy(records, ({ position }) => position.sequence);
    for (const parts of bySequence.values()) if (parts.length === 1) this.records++;
  }

  /** Records the outcome of an event in the batch, with its age and, if the event has a trace, a span. */
  recordOutcome({ event, record, trace }: ReceivedEvent, ending: DispatchOutcome): void {
    const counts = this.#of(event.model);
    counts[ending]++;
    const to = this.#clock.now();
    // Due to clock skew, the arrival time can be later than the current time.
    const from = Math.min(record.arrivedAt, to);
    if (ending === 'applied' || ending === 'rejected') counts.ages.push(to - from);
    if (!trace) return;
    const { model, transaction, id } = event;
    this.spans.push({
      trace,
      model,
      transaction,
      event: id,
      outcome: ending,
      startedAt: from,
      endedAt: to,
    });
  }

  /** Records the outcome of a parked event that a redrive completed. The event's age is not recorded. */
  recordRedriven(model: string, ending: DispatchOutcome): void {
    this.#of(model)[ending]++;
  }

  /** Records a dead letter. `model` is the registered model to which the record refers, if any. */
  recordDeadLetter(model: string | undefined): void {
    this.deadLetters++;
    if (model !== undefined) this.#of(model).deadLetters++;
  }

  #of(model: string): ModelCounts {
    let counts = this.models.get(model);
    if (!counts) {
      counts = { applied: 0, rejected: 0, duplicate: 0, parked: 0, deadLetters: 0, ages: [] };
      this.models.set(model, counts);
    }
    return counts;
  }
}
