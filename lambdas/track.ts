import { readFileSync } from 'node:fs';
import { createTrackApp } from '../src/api/customer-pages/track-app.ts';
import { DynamoDbCustomerLinks } from '../src/aws/instances/dynamodb-customer-links.ts';
import { DynamoDbInstanceStore } from '../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbObservationStore } from '../src/aws/monitoring/dynamodb-observation-store.ts';
import { DynamoDbModelRegistry } from '../src/aws/registry/dynamodb-model-registry.ts';
import { systemClock } from '../src/common/clock.ts';
import { publicRoutes } from '../src/routes/api-routes.ts';
import { clients } from './support/clients.ts';
import { httpFunction } from './support/http/http-function.ts';
import { linkKeyReader } from './support/http/link-key.ts';
import { loggedError } from './support/monitoring/error-log.ts';
import { setting } from './support/settings.ts';

const database = clients.dynamoDb();
const instancesTable = setting('MILEPOST_INSTANCES_TABLE');

const app = createTrackApp({
  // Sensitive fields remain sealed, because the customer page does not show the state.
  instances: new DynamoDbInstanceStore(database, instancesTable),
  models: new DynamoDbModelRegistry(database, setting('MILEPOST_REGISTRY_TABLE')),
  links: new DynamoDbCustomerLinks(database, setting('MILEPOST_LINKS_TABLE'), systemClock),
  observations: new DynamoDbObservationStore(database, instancesTable),
  linkKey: linkKeyReader(setting('MILEPOST_LINK_SECRET')),
  clock: systemClock,
  // `npm run build` writes the file next to the bundle.
  statusElement: readFileSync(new URL('./milepost-status.js', import.meta.url), 'utf8'),
  logError: (error) => console.error({ message: 'request failed', error: loggedError(error) }),
});

/** Serves the customer status pages, the only data that the HTTP API returns to callers without credentials. */
export const handler = httpFunction(app, publicRoutes);
