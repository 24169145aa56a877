import { DynamoDbDeadLetterStore } from '../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../src/aws/functions/lambda-model-invoker.ts';
import { XRayTraces } from '../src/aws/monitoring/xray-traces.ts';
import { DynamoDbModelRegistry } from '../src/aws/registry/dynamodb-model-registry.ts';
import { KinesisEventStream } from '../src/aws/stream/kinesis-event-stream.ts';
import { userRecords } from '../src/aws/stream/user-records.ts';
import { systemClock } from '../src/common/clock.ts';
import { messageOf } from '../src/common/message-of.ts';
import { dispatch } from '../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../src/dispatcher/registry-cache.ts';
import { SignedStream } from '../src/stream/signing/signed-stream.ts';
import { clients } from './support/clients.ts';
import { dataKeys } from './support/data-keys.ts';
import { eventMacs } from './support/event-macs.ts';
import { dispatchLog } from './support/monitoring/dispatch-log.ts';
import { batchMetrics } from './support/monitoring/metrics.ts';
import { isTraced } from './support/monitoring/tracing.ts';
import { optionalSetting, setting } from './support/settings.ts';
import { streamHandler } from './support/stream-handler.ts';

const database = clients.dynamoDb();
const macs = eventMacs();
const dependencies: DispatchDependencies = {
  deaggregate: userRecords,
  registry: new RegistryCache(
    new DynamoDbModelRegistry(database, setting('MILEPOST_REGISTRY_TABLE')),
    systemClock,
  ),
  deadLetters: new DynamoDbDeadLetterStore(
    database,
    setting('MILEPOST_DEAD_LETTERS_TABLE'),
    systemClock,
  ),
  parking: new DynamoDbParkingStore(database, setting('MILEPOST_INSTANCES_TABLE')),
  models: new LambdaModelInvoker(clients.lambda()),
  stream: new SignedStream(
    new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM')),
    macs,
  ),
  retry: {
    attempts: Number(setting('MILEPOST_MODEL_ATTEMPTS')),
    backoff: Number(setting('MILEPOST_MODEL_BACKOFF_MS')),
  },
  failureTracker: new FailureTracker(),
  clock: systemClock,
  dataKeys: dataKeys(),
  macs,
  log: dispatchLog({ eventData: optionalSetting('MILEPOST_EVENT_DATA_IN_LOGS') === 'on' }, console),
  metrics: batchMetrics(),
  spanExporter: isTraced ? new XRayTraces(clients.xray(), logLostSpans) : undefined,
};

function logLostSpans(error: unknown): void {
  console.warn({ message: 'failed to record traces', reason: messageOf(error) });
}

/** Dispatches the events on the stream to their models. */
export const handler = streamHandler(systemClock, (records, deadline) =>
  dispatch(dependencies, records, deadline),
);
