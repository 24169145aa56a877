import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { DeadLetter } from '../../src/core/event/dead-letter.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { root } from '../support/docs/markdown.ts';
import { entry, newFolder, newTracker } from './tracker.ts';

interface Resource {
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- templates are untyped
  readonly properties: Record<string, any>;
}

let durations: ReadonlyMap<string, string>;
let resources: readonly (Resource & { readonly type: string })[];

beforeAll(async () => {
  const page = await readFile(join(root, 'docs/reference/personal-data.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!---|Where)/.test(line));
  durations = new Map(
    rows.map((row) => {
      const [where, , howLong] = row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1);
      return [where!, howLong!];
    }),
  );
  const files = newFolder('pages-of-durations');
  await writeFile(join(files, 'index.html'), '<html><head></head></html>');
  const { stack, tracker } = newTracker((scope) => ({
    personalData: true,
    encryptionKey: new Key(scope, 'Key'),
    archive: true,
    apiTokens: { issuer: 'https://example.org', audience: ['client'] },
    operatorPages: { clientId: 'client', files },
  }));
  tracker.addModel('orders', { entry });
  tracker.addEventBridgeSource('Source', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.id' },
  });
  const { Resources } = Template.fromStack(stack).toJSON() as {
    Resources: Record<string, { Type: string; Properties: Resource['properties'] }>;
  };
  resources = Object.entries(Resources).map(([id, { Type, Properties }]) => ({
    id,
    type: Type,
    properties: Properties,
  }));
});

/** Returns the properties of the only resource of the given type whose logical id contains the given name. */
function only(type: string, name: string): Resource['properties'] {
  const found = resources.filter((each) => each.type === type && each.id.includes(name));
  expect(found.map(({ id }) => id)).toHaveLength(1);
  return found[0]!.properties;
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);
const bucket = (name: string) =>
  only('AWS::S3::Bucket', name).LifecycleConfiguration.Rules as {
    ExpirationInDays?: number;
    NoncurrentVersionExpiration?: { NoncurrentDays: number };
  }[];
const recovery = (name: string): number => {
  const specification = only('AWS::DynamoDB::Table', name).PointInTimeRecoverySpecification;
  expect(specification.PointInTimeRecoveryEnabled).toBe(true);
  return specification.RecoveryPeriodInDays ?? 35;
};

/** Returns how long a dead letter is kept, in days; undefined if it does not expire. */
async function letterDays(parked: DeadLetter['parked']): Promise<number | undefined> {
  const database = new MemoryDynamoDb({ letters: {} });
  const now = 1_000_000_000;
  const clock = { ...systemClock, now: () => now * 1000 };
  const store = new DynamoDbDeadLetterStore(database.dynamoDb, 'letters', clock);
  await store.put([
    {
      id: '000000000-0000000000000000',
      reason: 'not JSON',
      at: '2026-01-01T00:00:00.000Z',
      modelId: null,
      transactionId: null,
      eventId: null,
      partitionKey: 'a',
      parked,
      raw: Buffer.from('x'),
    },
  ]);
  const { expiresAt } = database.items('letters')[0]!;
  return expiresAt && (Number(expiresAt.N) - now) / 86_400;
}

describe('the page about personal data', () => {
  const of = (where: string) => durations.get(where);

  it('states how long the stream keeps records', () => {
    const { RetentionPeriodHours } = only('AWS::Kinesis::Stream', 'TrackerStream');
    expect(of('the stream')).toBe(days(RetentionPeriodHours / 24));
  });

  it('states how long the notification stream keeps records', () => {
    const { RetentionPeriodHours } = only('AWS::Kinesis::Stream', 'NotificationStream');
    expect(of('the notification stream')).toBe(days(RetentionPeriodHours / 24));
  });

  it('states how long the failure bucket keeps records, including the time after expiration', () => {
    const [rule] = bucket('Failures').filter(({ ExpirationInDays }) => ExpirationInDays);
    const { ExpirationInDays = 0, NoncurrentVersionExpiration } = rule!;
    expect(of('failure bucket')).toBe(
      days(ExpirationInDays + NoncurrentVersionExpiration!.NoncurrentDays),
    );
  });

  it('states how long dead letters are kept and can be recovered', async () => {
    expect(of('dead letters')).toBe(days((await letterDays(null))!));
    expect(await letterDays({ shard: 'shardId-000000000000', sequence: '1' })).toBeUndefined();
    expect(of('dead letters of parked events')).toBe('until they are redriven or deleted');
    expect(of('point-in-time recovery of the dead letters')).toBe(days(recovery('DeadLetters')));
  });

  it('states how long the instances table can be recovered', () => {
    expect(of('point-in-time recovery of the instances table')).toBe(days(recovery('Instances')));
  });

  it.each([
    ['queue of an EventBridge source', 'SourceDeadLetters'],
    ['dead-letter queue of the notification bus, with `encryptionKey`', 'NotificationsDeadLetters'],
  ])('states how long the %s keeps messages', (where, name) => {
    const { MessageRetentionPeriod } = only('AWS::SQS::Queue', name);
    expect(of(where)).toBe(days(MessageRetentionPeriod / 86_400));
  });

  it('states how long the log groups keep logs', () => {
    const groups = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup');
    const kept = new Set(groups.map(({ properties }) => properties.RetentionInDays as number));
    const [rule] = bucket('PagesAccessLogs');
    expect([...kept]).toEqual([rule!.ExpirationInDays]);
    for (const where of [
      'log groups of functions',
      'access log of the API',
      'access logs of CloudFront',
    ])
      expect(of(where)).toBe(days(rule!.ExpirationInDays!));
  });

  it('states how long the archive keeps deleted objects', () => {
    const rules = bucket('ArchiveBucket');
    expect(rules.map(({ ExpirationInDays }) => ExpirationInDays)).toEqual([undefined]);
    expect(of('archive bucket')).toBe(
      `until you delete the objects, and then for another ${days(rules[0]!.NoncurrentVersionExpiration!.NoncurrentDays)}`,
    );
  });

  it('correctly states that the table of data keys has no backups', () => {
    const table = only('AWS::DynamoDB::Table', 'PersonalDataKeys');
    expect(table.PointInTimeRecoverySpecification).toBeUndefined();
  });

  it('has only rows that a test checks, except for durations that AWS sets', () => {
    const checked = [
      'the stream',
      'the notification stream',
      'failure bucket',
      'dead letters',
      'dead letters of parked events',
      'point-in-time recovery of the dead letters',
      'point-in-time recovery of the instances table',
      'queue of an EventBridge source',
      'dead-letter queue of the notification bus, with `encryptionKey`',
      'log groups of functions',
      'access log of the API',
      'access logs of CloudFront',
      'archive bucket',
    ];
    const setByAws = [
      'stream of the instances table',
      'EventBridge and Firehose',
      'browsers of viewers and operators',
      'X-Ray, with `tracing`',
    ];
    expect([...durations.keys()]).toEqual([...checked, ...setByAws]);
  });

  it('covers every resource that stores data', () => {
    const keeping = resources.filter(({ type }) =>
      [
        'AWS::S3::Bucket',
        'AWS::SQS::Queue',
        'AWS::Kinesis::Stream',
        'AWS::DynamoDB::Table',
      ].includes(type),
    );
    const kinds = keeping.map(({ id }) => id.replace(/^Tracker|[0-9A-F]{8}$/g, '')).toSorted();
    // The registry and the files of the pages contain no event data, the counters contain only business keys, and
    // the queue contains only times. The page states that the keys have no backups.
    expect(kinds).toEqual([
      'ArchiveBucket',
      'DispatcherFailures',
      'NotificationStream',
      'NotificationsDeadLetters',
      'PagesAccessLogs',
      'PagesFilesBucket',
      'PersonalDataKeys',
      'SourceDeadLetters',
      'Stream',
      'TablesCounters',
      'TablesDeadLetters',
      'TablesInstances',
      'TablesRegistry',
      'WakeupsQueue',
    ]);
  });
});
