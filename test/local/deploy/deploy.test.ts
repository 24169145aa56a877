import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { CustomResourceRequest } from '../../../src/aws/registry/custom-resource.ts';
import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { deploy } from '../../../src/local/deploy/deploy.ts';
import { type DataFolder, openDataFolder } from '../../../src/local/settings/data-folder.ts';
import type { ServiceDefinition } from '../../../src/local/template/service-definition.ts';
import { define } from '../../aws-local/lambda/bundles.ts';

/** The request type and the logical id of each request to the function of the custom resources. */
let told: string[];
let isBroken: boolean;
let folder: DataFolder;
beforeEach(async () => {
  told = [];
  isBroken = false;
  const root = await mkdtemp(join(tmpdir(), 'milepost-deploy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  folder = await openDataFolder(root);
});

class Host extends LambdaHost {
  override async invoke({ payload }: { payload?: Uint8Array | string }) {
    const { RequestType, LogicalResourceId, ResponseURL } = JSON.parse(
      String(payload),
    ) as CustomResourceRequest;
    told.push(`${RequestType} ${LogicalResourceId}`);
    const answer = { Status: isBroken ? 'FAILED' : 'SUCCESS', PhysicalResourceId: 'id' };
    await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(answer) });
    return { statusCode: 200 as const, requestId: 'r', payload: 'null' };
  }
}

const service = (version: number): ServiceDefinition => ({
  tables: [
    {
      TableName: 'registry',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    },
  ],
  streams: [],
  secrets: [],
  functions: [],
  versions: [],
  eventSources: [],
  busRules: [],
  schedules: [],
  customResources: [
    { logicalId: 'Orders', type: 'Custom::M', functionName: 'f', properties: { version } },
  ],
  routes: [],
  unsupported: [],
});

/** Starts an empty database. Returns a function that deploys a version of the service to it. */
async function emptyDatabase() {
  const endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  onTestFinished(() => endpoint.close());
  const host = new Host({ functions: [], runtimeEnvironment: {} });
  const kinesis = new KinesisClient({ region: 'us-east-1' });
  const target = { dynamodbUrl: endpoint.url, kinesis, host, folder };
  return (version: number) => deploy(service(version), target, {});
}

it('a deployment sends a request for a custom resource only if the resource has changed', async () => {
  const deployed = await emptyDatabase();
  await deployed(1);
  await deployed(1);
  expect(told).toEqual(['Create Orders']);
  await deployed(2);
  await deployed(2);
  expect(told).toEqual(['Create Orders', 'Update Orders']);
});

it('a deployment updates an unchanged custom resource if a table is new', async () => {
  await (await emptyDatabase())(1);
  await (await emptyDatabase())(1);
  expect(told).toEqual(['Create Orders', 'Update Orders']);
});

it('a deployment updates all custom resources after a failed deployment', async () => {
  const deployed = await emptyDatabase();
  await deployed(1);
  isBroken = true;
  await expect(deployed(2)).rejects.toThrow('Orders: failed');
  isBroken = false;
  await deployed(1);
  await deployed(1);
  expect(told).toEqual(['Create Orders', 'Update Orders', 'Update Orders']);
});

it('a deployment passes the number of a published version to the custom resource that refers to the version', async () => {
  const endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  onTestFinished(() => endpoint.close());
  const host = new Host({ functions: [], runtimeEnvironment: {} });
  const kinesis = new KinesisClient({ region: 'us-east-1' });
  const target = { dynamodbUrl: endpoint.url, kinesis, host, folder };
  const orders = await define('orders', 'export const handler = () => 1;');
  const [resource] = service(1).customResources;
  const deployed = (id: string) =>
    deploy(
      {
        ...service(1),
        functions: [orders],
        versions: [{ id, functionName: 'orders' }],
        customResources: [{ ...resource!, properties: { version: `${id}.Version` } }],
      },
      target,
      {},
    );
  const numbers = async () => (await folder.readDeployed()).map(({ properties }) => properties);
  await deployed('First');
  await deployed('First');
  expect(await numbers()).toEqual([{ version: '1' }]);
  await deployed('Second');
  expect(await numbers()).toEqual([{ version: '2' }]);
  expect(told).toEqual(['Create Orders', 'Update Orders']);
});

it('a deployment starts the API, and terminates the environments that only the deployment used', async () => {
  const endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  onTestFinished(() => endpoint.close());
  const during: Record<string, number>[] = [];
  const host = new (class extends Host {
    environments() {
      const statistics = Object.entries(this.statistics());
      return Object.fromEntries(statistics.map(([name, { environments }]) => [name, environments]));
    }
    override async invoke(input: { payload?: Uint8Array | string }) {
      await this.prestart('orders');
      during.push(this.environments());
      return super.invoke(input);
    }
  })({ functions: [], runtimeEnvironment: {} });
  onTestFinished(() => host.close());
  const kinesis = new KinesisClient({ region: 'us-east-1' });
  const code = 'export const handler = () => 1;';
  const functions = [await define('orders', code), await define('api', code)];
  const routes = [{ routeKey: 'GET /api/instances', functionName: 'api' }];
  const target = { dynamodbUrl: endpoint.url, kinesis, host, folder };
  await deploy({ ...service(1), functions, routes }, target, {});
  expect(during).toMatchObject([{ orders: 1 }]);
  expect(host.environments()).toEqual({ orders: 0, api: 1 });
});
