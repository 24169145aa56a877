import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDbInstanceStore } from '../../src/aws/dynamodb-instance-store.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { EventSchemas, Model } from '../../src/core/model.ts';
import { answerModelRequest } from '../../src/service/model-handler.ts';
import type { ModelRequest } from '../../src/service/protocol.ts';
import { setting } from './environment.ts';

/**
 * The Lambda handler of a model: `export const handler = serve(model)`.
 *
 * It applies the events that the dispatcher sends, and describes the model to
 * the registrar. It reads `MILEPOST_INSTANCES_TABLE`, which `addModel` sets.
 */
export function serve<State, Events extends EventSchemas>(model: Model<State, Events>) {
  let store: DynamoDbInstanceStore | undefined;
  return (request: ModelRequest) => {
    store ??= new DynamoDbInstanceStore(new DynamoDBClient(), setting('MILEPOST_INSTANCES_TABLE'));
    // A model's own state and event types are its business; the runtime handles them as JSON.
    const environment = { model: model as unknown as Model, store, clock: systemClock };
    return answerModelRequest(environment, request);
  };
}
