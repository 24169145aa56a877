import type { Context } from 'aws-lambda';
import { DynamoDbInstanceStore } from '../../src/aws/dynamodb-instance-store.ts';
import { DynamoDbObservationStore } from '../../src/aws/dynamodb-observation-store.ts';
import { EventBridgeNotifier } from '../../src/aws/eventbridge-notifier.ts';
import { KinesisEventStream } from '../../src/aws/kinesis-event-stream.ts';
import { systemClock } from '../../src/core/clock.ts';
import { MilepostError } from '../../src/core/errors.ts';
import type { EventSchemas, Model } from '../../src/core/model.ts';
import { answerModelRequest, type ModelEnvironment } from '../../src/service/model-handler.ts';
import { Observer } from '../../src/service/observer.ts';
import type { Notifier } from '../../src/service/ports.ts';
import type { ModelRequest } from '../../src/service/protocol.ts';
import { SealedStore } from '../../src/service/sealing/sealed-store.ts';
import { clients } from './clients.ts';
import { dataKeys } from './data-keys.ts';
import { optionalSetting, setting } from './environment.ts';
import { loggedError } from './error-log.ts';
import { conflictMeasure } from './observed.ts';

/** How much of the time it has it takes for new commits; the rest is for what follows from them. */
const shareOfTime = 0.6;

/**
 * The Lambda handler of a model: `export const handler = serve(model)`.
 *
 * It applies the events that the dispatcher sends, and describes the model to
 * the registrar. It reads `MILEPOST_INSTANCES_TABLE`, `MILEPOST_STREAM` and
 * `MILEPOST_BUS`, which `addModel` sets; without a bus nothing is published.
 *
 * @example
 * const ping = defineProcess({ id: 'ping', milestones: [{ id: 'answered', label: 'Answered' }] });
 *
 * export const handler = serve(ping);
 */
export function serve<State, Events extends EventSchemas>(model: Model<State, Events>) {
  let environment: ModelEnvironment | undefined;
  return (request: ModelRequest, context: Pick<Context, 'getRemainingTimeInMillis'>) => {
    // A model's own state and event types are its business; the runtime handles them as JSON.
    environment ??= surroundings(model as unknown as Model);
    const until = systemClock.now() + shareOfTime * context.getRemainingTimeInMillis();
    return answerModelRequest(environment, request, until);
  };
}

function surroundings(model: Model): ModelEnvironment {
  const keys = model.sensitive && dataKeys();
  if (model.sensitive && !keys)
    throw new MilepostError(
      'bad-model',
      `model ${model.id} has sensitive fields: give the ProcessTracker personalData: true`,
    );
  const bus = optionalSetting('MILEPOST_BUS');
  const database = clients.dynamoDb();
  const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
  const store = new DynamoDbInstanceStore(database, instancesTable);
  return {
    model,
    store: keys ? new SealedStore(store, keys, model.sensitive) : store,
    dataKeys: keys,
    stream: new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM')),
    notifier: bus ? new EventBridgeNotifier(clients.eventBridge(), bus) : silence,
    clock: systemClock,
    observer: new Observer(model.id, {
      store: new DynamoDbObservationStore(database, instancesTable),
      clock: systemClock,
      logError: (error) => console.warn({ message: 'not counted', error: loggedError(error) }),
    }),
    onConflicts: conflictMeasure(model.id),
  };
}

const silence: Notifier = { publish: () => Promise.resolve() };
