import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCloudAssembly } from '../../../src/local/template/cloud-assembly.ts';
import { readService } from '../../../src/local/template/read-service.ts';
import type { ServiceDefinition } from '../../../src/local/template/service-definition.ts';
import type { Template as Synthesized } from '../../../src/local/template/template.ts';
import { apiRoutes, publicRoutes } from '../../../src/routes/api-routes.ts';
import { entry, newTracker } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' };
let template: Synthesized;
let service: ServiceDefinition;
let assembly: string;

beforeAll(() => {
  const { app, stack, tracker } = newTracker({
    streamName: 'orders-events',
    personalData: true,
    customerPages: true,
  });
  tracker.addModel('orders', { entry, memorySize: 333 });
  tracker.addModel('claims', { entry });
  template = Template.fromStack(stack).toJSON() as Synthesized;
  assembly = app.synth().directory;
  service = readService(template, place, (key) => `/assets/${key}`);
});

const all = (type: string) =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
const functionLike = (part: string) => service.functions.find(({ name }) => name.includes(part))!;

describe('readService', () => {
  it('reads all tables with their keys and indexes', () => {
    expect(service.tables).toHaveLength(all('AWS::DynamoDB::Table').length);
    expect(service.tables.length).toBeGreaterThanOrEqual(3);
    const instances = service.tables.find(({ TableName }) => TableName?.includes('Instances'));
    expect(instances).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
    expect(instances?.GlobalSecondaryIndexes?.length).toBeGreaterThan(0);
    for (const table of service.tables)
      expect(Object.keys(table).toSorted()).toEqual([
        'AttributeDefinitions',
        'BillingMode',
        'GlobalSecondaryIndexes',
        'KeySchema',
        'StreamSpecification',
        'TableName',
        'timeToLiveAttribute',
      ]);
    const letters = service.tables.find(({ TableName }) => TableName?.includes('DeadLetters'));
    expect(letters?.timeToLiveAttribute).toBe('expiresAt');
    expect(instances?.timeToLiveAttribute).toBeUndefined();
    expect(instances?.StreamSpecification).toEqual({
      StreamEnabled: true,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
    expect(letters?.StreamSpecification).toBeUndefined();
  });

  it('ignores provisioned capacity', () => {
    const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
    const provisioned = Object.entries(template.Resources).map(([id, resource]) => {
      const { BillingMode, ...properties } = resource.Properties ?? {};
      if (resource.Type !== 'AWS::DynamoDB::Table' || !BillingMode) return [id, resource];
      const indexes = properties['GlobalSecondaryIndexes'] as object[] | undefined;
      const GlobalSecondaryIndexes = indexes?.map((index) => ({ ...index, ProvisionedThroughput }));
      const Properties = { ...properties, GlobalSecondaryIndexes, ProvisionedThroughput };
      return [id, { ...resource, Properties }];
    });
    const changed = { ...template, Resources: Object.fromEntries(provisioned) };
    const { tables } = readService(changed, place, (key) => `/assets/${key}`);
    expect(tables).toEqual(service.tables);
  });

  it('reads the published version of each model, and the custom resource that receives the version number', () => {
    const { name } = functionLike('orders');
    const [version] = service.versions.filter(({ functionName }) => functionName === name);
    expect(service.versions).toHaveLength(2);
    expect(all('AWS::Lambda::Version').map(([id]) => id)).toContain(version?.id);
    const told = service.customResources.map(({ properties }) => properties.FunctionVersion);
    expect(told).toContain(`${version?.id}.Version`);
  });

  it('reads the streams, with the event stream first', () => {
    const stream = (name: string) => ({
      name,
      arn: `arn:aws:kinesis:eu-west-1:123456789012:stream/${name}`,
    });
    expect(service.streams).toEqual([
      { ...stream('orders-events'), shards: undefined, retentionHours: 168 },
      { ...stream('orders-events-notifications'), shards: 1, retentionHours: 24 },
    ]);
  });

  it('reads all functions with their settings', () => {
    expect(service.functions).toHaveLength(all('AWS::Lambda::Function').length);
    for (const definition of service.functions) {
      const [, resource] = all('AWS::Lambda::Function').find(
        ([id]) =>
          definition.name === `Test-${id}` || definition.name.startsWith(`Test-${id}`.slice(0, 55)),
      )!;
      const { Properties = {} } = resource;
      expect(definition).toMatchObject({
        arn: `arn:aws:lambda:eu-west-1:123456789012:function:${definition.name}`,
        codePath: `/assets/${(Properties['Code'] as { S3Key: string }).S3Key}`,
        handler: Properties['Handler'],
        timeoutSeconds: Properties['Timeout'],
        logFormat: 'JSON',
      });
    }
    expect(functionLike('orders').memoryMb).toBe(333);
    expect(functionLike('Dispatcher').memoryMb).toBe(512);
  });

  it('resolves the environment variables of functions', () => {
    const tables = service.tables.map(({ TableName }) => TableName);
    const { environment } = functionLike('Api');
    expect(environment).toMatchObject({ MILEPOST_STREAM: 'orders-events' });
    expect(tables).toContain(environment.MILEPOST_INSTANCES_TABLE);
    expect(tables).toContain(environment.MILEPOST_REGISTRY_TABLE);
    expect(functionLike('orders').environment.MILEPOST_INSTANCES_TABLE).toBe(
      environment.MILEPOST_INSTANCES_TABLE,
    );
    expect(functionLike('orders').environment.MILEPOST_NOTIFICATION_STREAM).toBe(
      'orders-events-notifications',
    );
    expect(functionLike('Publisher').environment.MILEPOST_BUS).toMatch(
      /^arn:aws:events:eu-west-1:123456789012:event-bus\/TestTrackerNotifications/,
    );
    for (const each of service.functions)
      for (const text of Object.values(each.environment)) expect(typeof text).toBe('string');
  });

  it('reads the event sources with their settings', () => {
    const [[id, resource]] = all('AWS::Lambda::EventSourceMapping') as [
      [string, (typeof template.Resources)[string]],
    ];
    expect(service.eventSources).toHaveLength(3);
    const [source, ofNotifications, ofRows] = service.eventSources;
    expect(ofRows).toMatchObject({
      functionName: functionLike('Counter').name,
      tableName: expect.stringContaining('Instances'),
      settings: { TumblingWindowInSeconds: 900 },
    });
    expect(ofNotifications).toMatchObject({
      functionName: functionLike('Publisher').name,
      streamName: 'orders-events-notifications',
      settings: { ParallelizationFactor: 10 },
    });
    expect(source).toMatchObject({
      id,
      functionName: functionLike('Dispatcher').name,
      functionArn: functionLike('Dispatcher').arn,
      streamName: 'orders-events',
      streamArn: service.streams[0]?.arn,
    });
    const { EventSourceArn, FunctionName, DestinationConfig, ...numbers } = source!.settings;
    expect(resource.Properties).toMatchObject(numbers);
    expect(numbers).toMatchObject({ BatchSize: 500, StartingPosition: 'TRIM_HORIZON' });
    expect(EventSourceArn).toBe(service.streams[0]?.arn);
    expect(FunctionName).toBe(functionLike('Dispatcher').name);
    expect(DestinationConfig).toEqual({
      OnFailure: { Destination: expect.stringMatching(/^arn:aws:s3:::Test-/) },
    });
  });

  it('reads the functions that run every minute', () => {
    expect(service.schedules).toEqual([
      { id: expect.stringContaining('Schedule'), functionName: functionLike('Clock').name },
    ]);
  });

  it('does not treat a rule with an event pattern as a schedule', () => {
    const changed = structuredClone(template) as { Resources: Resources };
    changed.Resources['Waiting'] = {
      Type: 'AWS::Events::Rule',
      Properties: { EventPattern: {}, Targets: [{ Arn: { 'Fn::GetAtt': ['Elsewhere', 'Arn'] } }] },
    };
    expect(readService(changed, place, String).schedules).toHaveLength(1);
  });

  it('reads the custom resource that registers each model', () => {
    expect(
      service.customResources.map(({ type, functionName, properties }) => ({
        type,
        functionName,
        id: properties.ModelId,
        arn: properties.FunctionArn,
      })),
    ).toEqual(
      ['orders', 'claims'].map((id) => ({
        type: 'Custom::MilepostModel',
        functionName: functionLike('Registrar').name,
        id,
        arn: functionLike(id).arn,
      })),
    );
  });

  it('reads the routes with their functions', () => {
    const routesOf = (name: string) =>
      service.routes.flatMap(({ routeKey, functionName }) =>
        functionName === name ? routeKey : [],
      );
    expect(routesOf(functionLike('Api').name).toSorted()).toEqual(apiRoutes.toSorted());
    expect(routesOf(functionLike('CustomerPages').name)).toEqual(publicRoutes);
  });

  it('removes the reserved concurrency of functions with routes, so that requests wait instead of being throttled', () => {
    const reserved = all('AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties?.ReservedConcurrentExecutions !== undefined,
    );
    expect(reserved).toHaveLength(2);
    for (const name of ['Api', 'CustomerPages'])
      expect(functionLike(name).reservedConcurrency).toBeUndefined();
  });

  it.each<[what: string, change: (resources: Resources) => void, named: string]>([
    [
      'an event source without its stream',
      (resources) => {
        first(resources, 'AWS::Lambda::EventSourceMapping').EventSourceArn = 'arn:other';
      },
      'must refer to a stream, or the stream of a table, and a function',
    ],
    [
      'a custom resource without its function',
      (resources) => {
        first(resources, 'Custom::').ServiceToken = 'arn:other';
      },
      'no function arn:other',
    ],
    [
      'a schedule with an unsupported rate',
      (resources) => {
        first(resources, 'AWS::Events::Rule').ScheduleExpression = 'rate(5 minutes)';
      },
      'rate(5 minutes)',
    ],
    [
      'a schedule without its function',
      (resources) => {
        first(resources, 'AWS::Events::Rule').Targets = [{ Arn: 'arn:other' }];
      },
      'no function arn:other',
    ],
    [
      'no HTTP API',
      (resources) => {
        for (const [id, { Type }] of Object.entries(resources))
          if (Type === 'AWS::ApiGatewayV2::Api') delete resources[id];
      },
      'exactly one AWS::ApiGatewayV2::Api; it has 0',
    ],
    [
      'two HTTP APIs',
      (resources) => {
        const api = Object.values(resources).find((r) => r.Type.endsWith('::Api'))!;
        resources['Second'] = api;
      },
      'exactly one AWS::ApiGatewayV2::Api; it has 2',
    ],
    [
      'a route without its function',
      (resources) => {
        first(resources, 'AWS::ApiGatewayV2::Route').Target = 'integrations/other';
      },
      'no function',
    ],
    [
      'an unsupported intrinsic function',
      (resources) => {
        first(resources, 'AWS::Lambda::Function').Environment = {
          Variables: { X: { 'Fn::Base64': 'x' } },
        };
      },
      'Fn::Base64',
    ],
  ])('rejects a template with %s', (_, change, named) => {
    const changed = structuredClone(template) as { Resources: Resources };
    change(changed.Resources);
    expect(() => readService(changed, place, String)).toThrow(
      expect.objectContaining({ name: 'TemplateError', message: expect.stringContaining(named) }),
    );
  });
});

type Resources = Record<string, { Type: string; Properties: Record<string, unknown> }>;

function first(resources: Resources, type: string): Record<string, unknown> {
  return Object.values(resources).find(({ Type }) => Type.startsWith(type))!.Properties;
}

describe('readCloudAssembly', () => {
  it("finds the code of Milepost's functions in the assembly", async () => {
    const read = await readCloudAssembly(assembly, place);
    expect(read.tables).toEqual(service.tables);
    const api = read.functions.find(({ name }) => name === read.routes[0]?.functionName)!;
    expect(existsSync(join(api.codePath, 'index.mjs'))).toBe(true);
  });

  it('reports the path of a missing file', async () => {
    await expect(readCloudAssembly(assembly, { ...place, stackName: 'Other' })).rejects.toThrow(
      'Other.template.json',
    );
  });
});
