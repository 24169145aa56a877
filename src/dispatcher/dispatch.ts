import { Deadline } from '../common/deadline.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import { authenticate } from './authenticate.ts';
import { decodeRecords } from './decode-records.ts';
import type { BatchDependencies, DispatchDependencies } from './dispatch-dependencies.ts';
import { dispatchToModel } from './dispatch-to-model.ts';
import {
  isVerificationExhausted,
  type RefusedEvent,
  refusedForHours,
} from './failures/overdue-events.ts';
import { putDeadLetters } from './failures/put-dead-letters.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';
import { outOfTimeReason } from './invoke-model.ts';
import { BatchRecorder } from './monitoring/batch-recorder.ts';

/**
 * The share of an invocation's time that is reserved for parking events, and the maximum reserved time in milliseconds.
 * Models are not invoked in the reserved time.
 */
const parkingShare = 0.25;
const maximumParkingTime = 60_000;
/** How long to wait for spans to be exported, in milliseconds. Traces must not delay events. */
const maximumExportTime = 500;

/**
 * Dispatches a batch of stream records to their models. Each user record of an aggregated record is dispatched
 * separately. A record becomes a dead letter if it is not a valid event or if its model is not registered. A record
 * whose source is reserved for Milepost also becomes a dead letter if its MAC is not valid or could not be verified for
 * hours.
 *
 * @param deadline when to stop; the remaining records are redelivered. Default: none.
 * @returns the records to redeliver. A faulty record never causes an error.
 */
export async function dispatch(
  dependencies: DispatchDependencies,
  records: readonly StreamRecord[],
  deadline = Deadline.none(dependencies.clock),
): Promise<StreamRecord[]> {
  const recorder = new BatchRecorder(dependencies.clock);
  recorder.recordArrivals(records);
  const invokeBy = deadline.earlierBy(
    Math.min(maximumParkingTime, parkingShare * deadline.remaining),
  );
  const batch: BatchDependencies = { ...dependencies, recorder, invokeBy };

  const { events, rejected } = decodeRecords(records, dependencies.deaggregate);
  const { genuine, forged, unverified, behind } = await authenticate(dependencies.macs, events);
  const exhausted = new Set(
    unverified.filter((each) => isVerificationExhausted(dependencies, each)),
  );
  const invalid = [...rejected, ...forged, ...[...exhausted].map(rejectUnverified)];
  const byModel = [...Map.groupBy(genuine, ({ event }) => event.model)];
  const failures = await Promise.all([
    failuresBy(deadline, invalid, putDeadLetters(batch, invalid)),
    ...byModel.map(([model, ofModel]) =>
      failuresBy(deadline, ofModel, dispatchToModel(batch, model, ofModel)),
    ),
  ]);

  const later = unverified.filter((each) => !exhausted.has(each)).map(failureOf);
  const all = [...later, ...behind, ...failures.flat()];
  if (all.length > 0) dependencies.log.failures(all);
  dependencies.metrics?.recordBatch(recorder);
  if (dependencies.spanExporter && recorder.spans.length > 0)
    await deadline.within(maximumExportTime).race(dependencies.spanExporter.export(recorder.spans));
  return [...new Set(all.map(({ record }) => record.aggregatedRecord ?? record))];
}

const failureOf = ({ received: { record }, reason }: RefusedEvent): BatchItemFailure => ({
  record,
  reason,
});

const rejectUnverified = ({ received, reason }: RefusedEvent): RejectedRecord =>
  rejectEvent(received, `could not be verified, because ${refusedForHours}: ${reason}`);

/** Returns the failures among the given records, or all given records if the deadline passes first. */
async function failuresBy(
  deadline: Deadline,
  some: readonly { readonly record: StreamRecord }[],
  work: Promise<BatchItemFailure[]>,
): Promise<BatchItemFailure[]> {
  const failures = await deadline.race(work);
  return failures === 'late'
    ? some.map(({ record }) => ({ record, reason: outOfTimeReason }))
    : failures;
}
