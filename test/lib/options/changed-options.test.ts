import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { beforeAll, describe, expect, it } from 'vitest';
import { Notifications, type ProcessTrackerProps } from '../../../lib/index.ts';
import { newFolder, type Props, templateOf } from '../tracker.ts';

/* The table in docs/how-to/deploy.md lists every option change that loses data or positions in a stream. */

const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/deploy.md'), 'utf8');

const pages = newFolder('pages');
writeFileSync(join(pages, 'index.html'), '<html><head></head></html>');

/** A tracker in which all options are on that own resources with data. */
const before: ProcessTrackerProps = {
  personalData: true,
  customerPages: true,
  archive: true,
  canary: true,
  apiTokens: { issuer: 'https://example.org', audience: ['client'] },
  operatorPages: { clientId: 'client', files: pages },
};

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}
type Resources = Readonly<Record<string, Resource>>;

/**
 * The types of resources with data, or with a position in a stream, and the properties whose change makes CloudFormation
 * replace the resource.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
const types: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Kinesis::Stream': ['Name'],
  'AWS::KinesisFirehose::DeliveryStream': ['DeliveryStreamName', 'DeliveryStreamType'],
  'AWS::Lambda::EventSourceMapping': [
    'EventSourceArn',
    'StartingPosition',
    'StartingPositionTimestamp',
  ],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SecretsManager::Secret': ['Name'],
};

const resourcesOf = (props: Props) =>
  templateOf(props, 'orders').toJSON()['Resources'] as Resources;

/** Returns the resources that a change removes or replaces. */
function lost(old: Resources, changed: Resources): string[] {
  const gone = new Set<string>();
  const isReplaced = (id: string, property: string) => {
    const value = JSON.stringify(changed[id]!.Properties[property]) ?? '';
    return (
      value !== (JSON.stringify(old[id]!.Properties[property]) ?? '') ||
      [...gone].some((other) => value.includes(`"${other}"`))
    );
  };
  // Event source mappings come last, because the replacement of a stream also replaces its mapping.
  const known = Object.entries(old)
    .filter(([, { Type }]) => Type in types)
    .toSorted(
      ([, a], [, b]) => Number(a.Type.endsWith('Mapping')) - Number(b.Type.endsWith('Mapping')),
    );
  for (const [id, { Type }] of known)
    if (!changed[id] || types[Type]!.some((property) => isReplaced(id, property))) gone.add(id);
  return [...gone].map((id) => id.replace(/^Tracker/, '').replace(/[0-9A-F]{8}$/, '')).toSorted();
}

const dispatcherMapping = expect.stringMatching(/^DispatcherFunctionKinesisEventSource/) as string;
const publisherMapping = expect.stringMatching(/^PublisherFunctionKinesisEventSource/) as string;

/** The changes that the page documents, with the resources that they remove or replace. */
const documented: Record<
  string,
  { readonly change: ProcessTrackerProps; readonly lost: string[] }
> = {
  streamName: {
    change: { streamName: 'other' },
    lost: [dispatcherMapping, 'NotificationStream', publisherMapping, 'Stream'],
  },
  lowLatency: { change: { lowLatency: true }, lost: [dispatcherMapping] },
  notifications: {
    change: { notifications: Notifications.none() },
    lost: ['NotificationStream', 'Notifications', publisherMapping],
  },
  personalData: {
    change: { personalData: false },
    lost: ['PersonalDataKey', 'PersonalDataKeys'],
  },
  customerPages: {
    change: { customerPages: false },
    lost: ['ApiLinkKey', 'CustomerLinksTable'],
  },
  archive: {
    change: { archive: false },
    lost: ['ArchiveArchiverFunctionCommits', 'ArchiveBucket', 'ArchiveStream'],
  },
};

/** The changes that update all resources with data in place. */
const inPlace: Record<string, Props> = {
  streamRetention: { streamRetention: Duration.days(2) },
  encryptionKey: (stack) => ({ ...before, encryptionKey: new Key(stack, 'Mine') }),
  removalPolicy: { removalPolicy: RemovalPolicy.DESTROY },
  logRetention: { logRetention: RetentionDays.ONE_DAY },
  instancesCapacity: {
    instancesCapacity: { readCapacity: { maxCapacity: 100 }, writeCapacity: { maxCapacity: 100 } },
  },
  batchSize: { batchSize: 100 },
  parallelizationFactor: { parallelizationFactor: 1 },
  retryAttempts: { retryAttempts: 10 },
  failureRetention: { failureRetention: Duration.days(2) },
  'the shards of the notification stream': {
    notifications: Notifications.toNewBus({ shards: 'on-demand', retention: Duration.days(2) }),
  },
  canary: { canary: false },
  dashboard: { dashboard: false },
  tracing: { tracing: true },
  tags: { tags: { team: 'orders' } },
  signingKeyRotation: { signingKeyRotation: 'none' },
};

let old: Resources;
beforeAll(() => {
  old = resourcesOf(before);
});

describe('a change to an option of an existing tracker', () => {
  it.each(Object.entries(documented))(
    'removes or replaces resources as documented: %s',
    (_, { change, lost: expected }) => {
      expect(lost(old, resourcesOf({ ...before, ...change }))).toEqual(expected);
    },
  );

  it.each(Object.entries(inPlace))('keeps all data and positions: %s', (_, change) => {
    const props = typeof change === 'function' ? change : { ...before, ...change };
    expect(lost(old, resourcesOf(props))).toEqual([]);
  });

  it('is in the table in docs/how-to/deploy.md if it removes or replaces resources', () => {
    const [, section = ''] = page.split('## Change the options of a deployed tracker');
    const listed = [...section.split('\n## ')[0]!.matchAll(/^\| `(\w+)`/gm)].map(
      ([, name]) => name,
    );
    // The key changes in place, but earlier data remains encrypted with the earlier key.
    expect(new Set(listed)).toEqual(new Set([...Object.keys(documented), 'encryptionKey']));
  });
});
