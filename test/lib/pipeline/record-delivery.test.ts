import { Match, Template } from 'aws-cdk-lib/assertions';
import type { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { describe, expect, it } from 'vitest';
import { newTracker, templateOf } from '../tracker.ts';

const consumer = 'AWS::Kinesis::StreamConsumer';

/** Returns the properties of the dispatcher's event source mapping. */
function mappingOf(template: Template) {
  const found = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping'));
  return found.find(([id]) => id.startsWith('TrackerDispatcher'))?.[1]['Properties'];
}

describe('the delivery of records to the dispatcher', () => {
  it('reads the shards of the stream directly by default, with ten concurrent batches per shard', () => {
    const template = templateOf({});
    template.resourceCountIs(consumer, 0);
    expect(mappingOf(template)).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringContaining('Stream'), 'Arn'] },
      ParallelizationFactor: 10,
    });
  });

  it('with lowLatency uses a consumer to which Kinesis pushes records, with one batch per shard at a time', () => {
    const template = templateOf({ lowLatency: true });
    template.hasResourceProperties(consumer, { ConsumerName: 'milepost-dispatcher' });
    const [id] = Object.keys(template.findResources(consumer));
    expect(mappingOf(template)).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [id, 'ConsumerARN'] },
      ParallelizationFactor: 1,
    });
  });

  it('with lowLatency keeps the settings that protect records from being lost', () => {
    const { EventSourceArn: _, ParallelizationFactor: __, ...read } = mappingOf(templateOf({}));
    const pushed = mappingOf(templateOf({ lowLatency: true }));
    expect(pushed).toMatchObject(read);
  });

  it('counts the delivered records only with lowLatency', () => {
    const counts = (lowLatency: boolean) =>
      JSON.stringify(templateOf({ lowLatency }).toJSON()).includes('MILEPOST_RECORD_METRIC');
    expect([counts(true), counts(false)]).toEqual([true, false]);
  });

  it('has a configurable number of concurrent batches per shard', () => {
    const { ParallelizationFactor } = mappingOf(templateOf({ parallelizationFactor: 3 }));
    expect(ParallelizationFactor).toBe(3);
  });

  it.each([0, 11, 2.5])('rejects %d concurrent batches per shard', (parallelizationFactor) => {
    expect(() => newTracker({ parallelizationFactor })).toThrow(
      `\`parallelizationFactor\` must be an integer from 1 to 10; got ${parallelizationFactor}`,
    );
  });

  it('with lowLatency rejects more than one batch per shard at a time, because Lambda would drop aggregated records', () => {
    expect(() => newTracker({ lowLatency: true, parallelizationFactor: 2 })).toThrow(
      '`parallelizationFactor` must be 1 with `lowLatency`, because Lambda would otherwise drop aggregated records; got 2; ' +
        'remove one of these settings',
    );
  });
});

describe('the record distribution strategy of a stream', () => {
  it.each(['stream', 'notificationStream'] as const)(
    'cannot be AUTO for `%s`, because AUTO ignores partition keys',
    (name) => {
      const { stack, tracker } = newTracker();
      (tracker[name].node.defaultChild as CfnStream).recordDistributionStrategy = 'AUTO';
      expect(() => Template.fromStack(stack)).toThrow(
        '`recordDistributionStrategy` of the stream must be USER_PARTITION_KEY',
      );
    },
  );

  it('can be USER_PARTITION_KEY', () => {
    const { stack, tracker } = newTracker();
    const strategy = 'USER_PARTITION_KEY';
    (tracker.stream.node.defaultChild as CfnStream).recordDistributionStrategy = strategy;
    Template.fromStack(stack).hasResourceProperties('AWS::Kinesis::Stream', {
      RecordDistributionStrategy: Match.exact(strategy),
    });
  });
});
