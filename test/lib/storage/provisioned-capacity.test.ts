import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ProvisionedCapacity } from '../../../lib/index.ts';
import { templateOf } from '../tracker.ts';

const table = 'AWS::DynamoDB::Table';
const target = 'AWS::ApplicationAutoScaling::ScalableTarget';
const policy = 'AWS::ApplicationAutoScaling::ScalingPolicy';

const indexNames = ['by-status', 'by-transaction', 'by-due', 'by-late', 'by-parked'];
const readCapacity = { minCapacity: 5, maxCapacity: 500 };
const writeCapacity = { minCapacity: 10, maxCapacity: 1_000 };

const templateWith = (instancesCapacity: ProvisionedCapacity) => templateOf({ instancesCapacity });

/** The bounds of auto scaling, by table or index and dimension, such as `by-late WriteCapacityUnits`. */
function boundsOf(template: Template): Record<string, [number, number]> {
  const found = Object.values(template.findResources(target));
  return Object.fromEntries(
    found.map(({ Properties: { ResourceId, ScalableDimension, MinCapacity, MaxCapacity } }) => {
      const [, index = 'table'] = /index\/([\w-]+)/.exec(JSON.stringify(ResourceId)) ?? [];
      const name = `${index} ${ScalableDimension.split(':')[2]}`;
      return [name, [MinCapacity, MaxCapacity]];
    }),
  );
}

describe('the provisioned capacity of the instances table', () => {
  let template: Template;
  beforeAll(() => {
    template = templateWith({ readCapacity, writeCapacity });
  });

  it('starts at the minimum in the table and in each index', () => {
    const throughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 10 };
    template.hasResourceProperties(table, {
      BillingMode: Match.absent(),
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexes: indexNames.map((IndexName) =>
        Match.objectLike({ IndexName, ProvisionedThroughput: throughput }),
      ),
    });
  });

  it('leaves the other tables in on-demand mode', () => {
    const onDemand = Object.values(template.findResources(table)).filter(
      ({ Properties }) => Properties.BillingMode === 'PAY_PER_REQUEST',
    );
    expect(onDemand).toHaveLength(3);
  });

  it('is scaled between the minimum and the maximum, separately for the table and for each index', () => {
    const expected = ['table', ...indexNames].flatMap((name) => [
      [`${name} ReadCapacityUnits`, [5, 500]],
      [`${name} WriteCapacityUnits`, [10, 1_000]],
    ]);
    expect(boundsOf(template)).toEqual(Object.fromEntries(expected));
  });

  it('is scaled to a utilization of 70%', () => {
    template.resourceCountIs(policy, 12);
    template.allResourcesProperties(policy, {
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
    });
  });

  it('can have a custom target utilization and an initial capacity above the minimum', () => {
    const writes = { ...writeCapacity, seedCapacity: 300, targetUtilizationPercent: 85 };
    const other = templateWith({ readCapacity, writeCapacity: writes });
    other.hasResourceProperties(table, {
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 300 },
    });
    other.resourcePropertiesCountIs(
      policy,
      { TargetTrackingScalingPolicyConfiguration: { TargetValue: 85 } },
      6,
    );
  });

  it('can differ for an index', () => {
    const other = boundsOf(
      templateWith({
        readCapacity,
        writeCapacity,
        indexes: { 'by-transaction': { writeCapacity: { minCapacity: 2, maxCapacity: 200 } } },
      }),
    );
    expect(other['by-transaction WriteCapacityUnits']).toEqual([2, 200]);
    expect(other['by-transaction ReadCapacityUnits']).toEqual([5, 500]);
    expect(other['by-status WriteCapacityUnits']).toEqual([10, 1_000]);
  });

  it.each<[string, ProvisionedCapacity]>([
    [
      '`instancesCapacity.readCapacity.minCapacity` must be an integer of at least 1; got 0',
      { readCapacity: { minCapacity: 0, maxCapacity: 10 }, writeCapacity },
    ],
    [
      '`instancesCapacity.writeCapacity.maxCapacity` must be an integer of at least 20; got 10',
      { readCapacity, writeCapacity: { minCapacity: 20, maxCapacity: 10 } },
    ],
    [
      '`instancesCapacity.writeCapacity.seedCapacity` must be an integer from 10 to 1000; got 5000',
      { readCapacity, writeCapacity: { ...writeCapacity, seedCapacity: 5_000 } },
    ],
    [
      '`instancesCapacity.readCapacity.targetUtilizationPercent` must be an integer from 20 to 90; got 95',
      { readCapacity: { ...readCapacity, targetUtilizationPercent: 95 }, writeCapacity },
    ],
    [
      "`instancesCapacity.indexes['by-late'].writeCapacity.maxCapacity` must be an integer of at least 1; got 0.5",
      {
        readCapacity,
        writeCapacity,
        indexes: { 'by-late': { writeCapacity: { maxCapacity: 0.5 } } },
      },
    ],
    [
      '`instancesCapacity.writeCapacity` must be set, such as { minCapacity: 5, maxCapacity: 100 }; got undefined',
      { readCapacity } as ProvisionedCapacity,
    ],
    [
      '`instancesCapacity.readCapacity.maxCapacity` must be an integer of at least 1; got undefined',
      { readCapacity: {}, writeCapacity } as ProvisionedCapacity,
    ],
    [
      `\`instancesCapacity.indexes\` must contain only ${indexNames.join(', ')}; got by-name`,
      { readCapacity, writeCapacity, indexes: { 'by-name': {} } as ProvisionedCapacity['indexes'] },
    ],
  ])('is rejected during synthesis: %s', (message, capacity) => {
    expect(() => templateWith(capacity)).toThrow(message);
  });
});
