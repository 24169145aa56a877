import { DynamoDbHistoryRewriter } from '../../src/aws/instances/dynamodb-history-rewriter.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../src/aws/instances/dynamodb-status-rows.ts';
import { DynamoDbObservationStore } from '../../src/aws/monitoring/dynamodb-observation-store.ts';
import { AggregatingStream } from '../../src/aws/stream/aggregating-stream.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { Model } from '../../src/core/model/model.ts';
import { CompletedTails } from '../../src/model-runtime/completed-tails.ts';
import type { ModelDependencies } from '../../src/model-runtime/model-handler.ts';
import { NotificationStream } from '../../src/model-runtime/notification-stream.ts';
import type { Notifier } from '../../src/model-runtime/notifier.ts';
import { Observer } from '../../src/model-runtime/observer.ts';
import type { ModelFunction } from '../../src/model-runtime/remote/model-function.ts';
import { SealingStore } from '../../src/model-runtime/sealing/sealing-store.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { clients } from './clients.ts';
import { eventMacs } from './event-macs.ts';
import { loggedError } from './monitoring/error-log.ts';
import { faultLog } from './monitoring/fault-log.ts';
import { conflictMetric } from './monitoring/metrics.ts';
import { optionalSetting, setting } from './settings.ts';
import { wakeups } from './wakeups.ts';

/**
 * Creates the dependencies of a model's Lambda function from environment variables.
 *
 * @param keys the data keys that seal and unseal sensitive fields; undefined if the tracker does not have the option
 *   `personalData`.
 */
export function modelDependencies(
  model: Model | ModelFunction,
  keys: DataKeys | undefined,
): ModelDependencies {
  const notifications = optionalSetting('MILEPOST_NOTIFICATION_STREAM');
  const database = clients.dynamoDb();
  const kinesis = clients.kinesis();
  const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
  const store = new DynamoDbInstanceStore(database, instancesTable);
  return {
    model,
    store: keys ? new SealingStore(store, keys, model) : store,
    dataKeys: keys,
    history: new DynamoDbHistoryRewriter(database, instancesTable),
    rows: new DynamoDbStatusRows(database, instancesTable),
    stream: new SignedStream(
      new AggregatingStream(new KinesisEventStream(kinesis, setting('MILEPOST_STREAM'))),
      eventMacs(),
    ),
    notifier: notifications
      ? new NotificationStream(new KinesisEventStream(kinesis, notifications))
      : silentNotifier,
    completedTails: new CompletedTails(),
    wakeups: wakeups(soon),
    clock: systemClock,
    observer: new Observer(model.id, {
      store: new DynamoDbObservationStore(database, instancesTable),
      clock: systemClock,
      logError: (error) =>
        console.warn({ message: 'failed to record statistics', error: loggedError(error) }),
    }),
    faults: faultLog(
      {
        entry: optionalSetting('MILEPOST_ENTRY'),
        folder: optionalSetting('LAMBDA_TASK_ROOT') ?? process.cwd(),
        self: import.meta.filename,
        eventData: optionalSetting('MILEPOST_EVENT_DATA_IN_LOGS') === 'on',
      },
      console,
    ),
    onConflicts: conflictMetric(model.id),
  };
}

/**
 * A model's function schedules runs of the clock for timers that are due within this time, in milliseconds. For later
 * timers, the clock schedules the runs when it looks ahead. The clock runs at least twice before such a timer is due,
 * so the failure of one run does not delay the timer.
 */
const soon = 120_000;

const silentNotifier: Notifier = { publish: () => Promise.resolve() };
