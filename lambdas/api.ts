import { createApi } from '../src/api/app.ts';
import { DynamoDbCounts } from '../src/aws/counters/dynamodb-counts.ts';
import { counterRebuild } from '../src/aws/counters/rebuild/counter-rebuild.ts';
import { DynamoDbDeadLetterStore } from '../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbCustomerLinks } from '../src/aws/instances/dynamodb-customer-links.ts';
import { DynamoDbInstanceStore } from '../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbEventFinder } from '../src/aws/lists/dynamodb-event-finder.ts';
import { DynamoDbInstanceLists } from '../src/aws/lists/dynamodb-instance-lists.ts';
import { DynamoDbInstanceScanner } from '../src/aws/lists/dynamodb-instance-scanner.ts';
import { DynamoDbObservationStore } from '../src/aws/monitoring/dynamodb-observation-store.ts';
import { DynamoDbModelRegistry } from '../src/aws/registry/dynamodb-model-registry.ts';
import { KinesisEventStream } from '../src/aws/stream/kinesis-event-stream.ts';
import { systemClock } from '../src/common/clock.ts';
import { SealingStore } from '../src/model-runtime/sealing/sealing-store.ts';
import { apiRoutes, preflightRoute } from '../src/routes/api-routes.ts';
import { SignedStream } from '../src/stream/signing/signed-stream.ts';
import { clients } from './support/clients.ts';
import { dataKeys } from './support/data-keys.ts';
import { eventMacs } from './support/event-macs.ts';
import { callerOf } from './support/http/caller.ts';
import { httpFunction } from './support/http/http-function.ts';
import { linkKeyReader } from './support/http/link-key.ts';
import { tokenRoles } from './support/http/token-roles.ts';
import { installation } from './support/installation.ts';
import { loggedError } from './support/monitoring/error-log.ts';
import { traceparent } from './support/monitoring/tracing.ts';
import { optionalSetting, setting } from './support/settings.ts';

const database = clients.dynamoDb();
const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
const models = new DynamoDbModelRegistry(database, setting('MILEPOST_REGISTRY_TABLE'));

const countersTable = setting('MILEPOST_COUNTERS_TABLE');

const corsOrigins = optionalSetting('MILEPOST_CORS_ORIGINS')?.split(',') ?? [];
const linkSecret = optionalSetting('MILEPOST_LINK_SECRET');
const linksTable = optionalSetting('MILEPOST_LINKS_TABLE');

const keys = dataKeys();
const instances = new DynamoDbInstanceStore(database, instancesTable);
const functions = new LambdaModelInvoker(clients.lambda());
const kinesis = clients.kinesis();
const stream = new KinesisEventStream(kinesis, setting('MILEPOST_STREAM'));
const notifications = optionalSetting('MILEPOST_NOTIFICATION_STREAM');

const app = createApi({
  instances: keys ? new SealingStore(instances, keys) : instances,
  dataKeys: keys,
  parking: new DynamoDbParkingStore(database, instancesTable),
  lists: new DynamoDbInstanceLists(database, instancesTable),
  counts: new DynamoDbCounts(database, countersTable),
  rebuildCounters: counterRebuild(
    { client: database, table: countersTable },
    { client: database, table: instancesTable },
    systemClock,
    (error) =>
      console.error({
        message: 'failed to update a counter in a rebuild',
        error: loggedError(error),
      }),
  ),
  scanner: new DynamoDbInstanceScanner(database, instancesTable),
  events: new DynamoDbEventFinder(database, instancesTable, systemClock),
  auditor: functions,
  forgetter: functions,
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
  notificationStream: notifications ? new KinesisEventStream(kinesis, notifications) : undefined,
  clock: systemClock,
  rolesOf: tokenRoles(),
  changeLog: { callerOf, log: (change) => console.info({ message: 'change', ...change }) },
  links: linksTable ? new DynamoDbCustomerLinks(database, linksTable, systemClock) : undefined,
  linkKey: linkSecret === undefined ? undefined : linkKeyReader(linkSecret),
  corsOrigins,
  installation: installation({ database, kinesis, table: instancesTable }),
  logError: (error) => console.error({ message: 'request failed', error: loggedError(error) }),
  traceparent,
});

/** Serves the HTTP API, except the customer status pages. */
export const handler = httpFunction(app, [
  ...apiRoutes,
  ...(corsOrigins.length > 0 ? [preflightRoute] : []),
]);
