import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { rolesIn } from '../src/api/access.ts';
import { createApi } from '../src/api/app.ts';
import { DynamoDbDeadLetterStore } from '../src/aws/dynamodb-dead-letter-store.ts';
import { DynamoDbInstanceLists } from '../src/aws/dynamodb-instance-lists.ts';
import { DynamoDbInstanceStore } from '../src/aws/dynamodb-instance-store.ts';
import { DynamoDbInstanceWalk } from '../src/aws/dynamodb-instance-walk.ts';
import { DynamoDbObservationStore } from '../src/aws/dynamodb-observation-store.ts';
import { DynamoDbParkingStore } from '../src/aws/dynamodb-parking-store.ts';
import { KinesisEventStream } from '../src/aws/kinesis-event-stream.ts';
import { LambdaModelInvoker } from '../src/aws/lambda-model-invoker.ts';
import { DynamoDbModelRegistry } from '../src/aws/model-registry.ts';
import { systemClock } from '../src/core/clock.ts';
import { SealedStore } from '../src/service/sealing/sealed-store.ts';
import { SignedStream } from '../src/service/signing/signed-stream.ts';
import { withoutBodyOfGet } from './support/body-of-get.ts';
import { claimsIn } from './support/claims.ts';
import { clients } from './support/clients.ts';
import { dataKeys } from './support/data-keys.ts';
import { withEncodedPath } from './support/encoded-path.ts';
import { optionalSetting, setting } from './support/environment.ts';
import { loggedError } from './support/error-log.ts';
import { eventMacs } from './support/event-macs.ts';
import { traceparent } from './support/tracing.ts';

const database = clients.dynamoDb();
const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
const models = new DynamoDbModelRegistry(database, setting('MILEPOST_REGISTRY_TABLE'));

const rolesClaim = optionalSetting('MILEPOST_ROLES_CLAIM');

const linkSecret = optionalSetting('MILEPOST_LINK_SECRET');
/** Read when the first link is made or followed, and then kept. */
let linkKey: Promise<string> | undefined;
function readLinkKey(secret: string): Promise<string> {
  linkKey ??= clients
    .secretsManager()
    .current(secret)
    .then(({ value }) => value)
    .catch((error: unknown) => {
      linkKey = undefined;
      throw error;
    });
  return linkKey;
}

const keys = dataKeys();
const instances = new DynamoDbInstanceStore(database, instancesTable);
const functions = new LambdaModelInvoker(clients.lambda());
const stream = new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM'));

const answer = handle(
  createApi({
    instances: keys ? new SealedStore(instances, keys) : instances,
    dataKeys: keys,
    parking: new DynamoDbParkingStore(database, instancesTable),
    lists: new DynamoDbInstanceLists(database, instancesTable, models),
    walk: new DynamoDbInstanceWalk(database, instancesTable),
    auditor: functions,
    models,
    versions: models,
    describer: functions,
    observations: new DynamoDbObservationStore(database, instancesTable),
    deadLetters: new DynamoDbDeadLetterStore(
      database,
      setting('MILEPOST_DEAD_LETTERS_TABLE'),
      systemClock,
    ),
    stream,
    ownStream: new SignedStream(stream, eventMacs()),
    clock: systemClock,
    rolesOf:
      rolesClaim === undefined ? () => undefined : (env) => rolesIn(claimsIn(env)[rolesClaim]),
    linkKey: linkSecret === undefined ? undefined : () => readLinkKey(linkSecret),
    corsOrigins: optionalSetting('MILEPOST_CORS_ORIGINS')?.split(',') ?? [],
    logError: (error) => console.error({ message: 'a request failed', error: loggedError(error) }),
    traceparent,
  }),
);

/** Answers the HTTP API. */
export const handler = (event: Extract<LambdaEvent, { rawPath: string }>, context: LambdaContext) =>
  answer(withEncodedPath(withoutBodyOfGet(event)), context);
