import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, type EventPattern } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import type { EventBridgeSourceProps, MappedEvent } from '../../../lib/index.ts';
import { decodeEvent } from '../../../src/core/event/event.ts';
import { entry, newTracker, type Props } from '../tracker.ts';

const eventPattern = { source: ['com.example.shop'] };
const common = { modelId: 'orders', transactionId: '$.detail.orderId' };

function synthesized(event: MappedEvent = common, props: Props = {}) {
  const { app, stack, tracker } = newTracker(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  tracker.addModel('orders', { entry });
  const bus = new EventBus(stack, 'Shop');
  tracker.addEventBridgeSource('Source', { bus, eventPattern, event });
  return { app, stack, template: Template.fromStack(stack) };
}

interface Target {
  readonly Arn: unknown;
  readonly InputTransformer: {
    readonly InputPathsMap: Record<string, string>;
    readonly InputTemplate: string;
  };
  readonly KinesisParameters: unknown;
  readonly DeadLetterConfig: unknown;
}

function targetOf(template: Template): Target {
  const rules = template.findResources('AWS::Events::Rule', {
    Properties: { EventPattern: eventPattern },
  });
  return Object.values(rules)[0]!['Properties'].Targets[0] as Target;
}

/**
 * Returns the record that EventBridge puts on the stream. Each variable is replaced by the value at its path, as JSON.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
function transformed(
  { InputTransformer: { InputPathsMap, InputTemplate } }: Target,
  event: object,
) {
  return InputTemplate.replace(/<([^>]+)>/g, (_, name: string) => {
    const steps = InputPathsMap[name]!.slice(2).split('.');
    return JSON.stringify(
      steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], event),
    );
  });
}

const busEvent = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  'detail-type': 'order.paid',
  source: 'com.example.shop',
  account: '111122223333',
  time: '2026-01-02T03:04:05Z',
  region: 'us-east-1',
  resources: [],
  detail: { orderId: 'O-1 "x"', amount: 12.5, lines: [{ sku: 'a' }], paid: { by: 'card' } },
};
const eventFrom = (event: MappedEvent) => {
  const text = transformed(targetOf(synthesized(event).template), busEvent);
  return decodeEvent(Buffer.from(text), Date.parse('2026-01-02T03:04:06.000Z'));
};

describe('an EventBridge source', () => {
  it('puts events from a bus on the stream as events of the model', () => {
    expect(eventFrom(common)).toEqual({
      ok: true,
      event: {
        id: busEvent.id,
        source: 'com.example.shop',
        type: 'order.paid',
        model: 'orders',
        transaction: 'O-1 "x"',
        time: '2026-01-02T03:04:05Z',
        data: busEvent.detail,
      },
    });
  });

  it('maps fields of the event and constant values', () => {
    const checked = eventFrom({
      ...common,
      id: '$.detail.orderId',
      type: 'order.settled',
      source: 'shop',
      data: { amount: '$.detail.amount', by: '$.detail.paid.by', via: 'bus', places: [1, null] },
    });
    expect(checked).toMatchObject({
      event: {
        id: 'O-1 "x"',
        type: 'order.settled',
        source: 'shop',
        data: { amount: 12.5, by: 'card', via: 'bus', places: [1, null] },
      },
    });
  });

  it('uses the transaction id as the partition key and has a queue for undeliverable events', () => {
    const { template } = synthesized();
    expect(targetOf(template)).toMatchObject({
      Arn: { 'Fn::GetAtt': [expect.stringMatching(/^TrackerStream/), 'Arn'] },
      KinesisParameters: { PartitionKeyPath: '$.detail.orderId' },
      DeadLetterConfig: {
        Arn: { 'Fn::GetAtt': [expect.stringMatching(/^TrackerSourceDeadLetters/), 'Arn'] },
      },
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: {
              ArnEquals: {
                'aws:SourceArn': { 'Fn::GetAtt': [Match.stringLikeRegexp('SourceRule'), 'Arn'] },
              },
            },
          }),
        ]),
      },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 0,
    });
  });

  it('is permitted only to put records', () => {
    const { template } = synthesized();
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, policy] = policies.find(([id]) => id.includes('SourceRole'))!;
    expect(policy['Properties'].PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Action: ['kinesis:PutRecord', 'kinesis:PutRecords'],
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/^TrackerStream/), 'Arn'] },
      }),
    ]);
  });

  it('passes cdk-nag, even with a customer managed key, which the queue does not need', () => {
    expect(() => synthesized().app.synth()).not.toThrow();
    const { app, template } = synthesized(common, (stack) => ({
      encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
    }));
    expect(() => app.synth()).not.toThrow();
    template.hasResourceProperties('AWS::SQS::Queue', {
      KmsMasterKeyId: Match.absent(),
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, policy] = policies.find(([id]) => id.includes('SourceRole'))!;
    expect(JSON.stringify(policy)).toContain('kms:GenerateDataKey');
  });

  it.each([
    [
      { modelId: 'Orders!' },
      'modelId must be a path, or have 1 to 64 characters from a-z, 0-9, and -',
    ],
    [{ transactionId: 'O-1' }, 'transactionId must be a path such as $.detail.orderId; got "O-1"'],
    [{ transactionId: '$.detail[*].id' }, 'transactionId must be a path'],
    [{ type: '$detail.type' }, 'type must be a path'],
    [{ data: { deep: { id: '$.' } } }, 'data.deep.id must be a path'],
    [{ id: 'detail.id' }, 'id must be a path such as $.id; got "detail.id"'],
    [{ time: 'now' }, 'time must be a path such as $.time; got "now"'],
    [{ type: '' }, 'type must be a path or a non-empty string; got ""'],
    [{ type: 'order.<x>' }, 'type must not contain < or >'],
    [{ source: 'milepost:clock' }, 'source must not start with "milepost:", which is reserved'],
    [{ source: 'Milepost:shop' }, 'source must not start with "milepost:"'],
  ])('rejects the mapping %j', (more, message) => {
    expect(() => synthesized({ ...common, ...more })).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(message) }),
    );
  });

  it.each<[object, string]>([
    [{ event: common }, '`eventPattern` must select events'],
    [{ eventPattern: 'shop', event: common }, '`eventPattern` must select events'],
    [{ eventPattern: ['shop'], event: common }, '`eventPattern` must select events'],
    [
      { eventPattern: { source: 'shop' }, event: common },
      `\`eventPattern.source\` must be a non-empty list, such as ['com.example.shop']; got "shop"`,
    ],
    [{ eventPattern: { detailType: [] }, event: common }, '`eventPattern.detailType` must be'],
    [{ eventPattern, event: common, bus: '' }, '`bus` must be a bus'],
    [{ eventPattern, event: { ...common, type: 7 } }, 'type must be a path or a non-empty string'],
    [
      { eventPattern, event: { ...common, source: null } },
      'source must be a path or a non-empty string',
    ],
    [{ eventPattern, event: { ...common, sorce: 'shop' } }, 'got sorce; did you mean `source`?'],
    [{ eventPattern: {} }, '`event` must be an object, such as'],
    [
      { eventPattern: {}, event: common, bus: 'shop' },
      '`bus` must be a bus, such as EventBus.from',
    ],
    [
      { eventPattern: {}, event: { modelId: 'orders' } },
      'modelId and transactionId must be strings; got "orders" and undefined',
    ],
  ])('rejects the properties %j, which only JavaScript code can pass', (props, message) => {
    const { tracker } = newTracker();
    expect(() => tracker.addEventBridgeSource('Source', props as EventBridgeSourceProps)).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(message) }),
    );
  });

  it('sets the data to null if the mapping contains null as the data', () => {
    expect(eventFrom({ ...common, data: null })).toMatchObject({ event: { data: null } });
  });

  it('rejects a mapping that EventBridge would reject as too large', () => {
    const data = { note: 'x'.repeat(8_200) };
    expect(() => synthesized({ ...common, data })).toThrow(
      /event source "Source": the mapping must have at most 8192 characters as JSON, .*; got 8\d{3}$/,
    );
  });

  it('ignores events with a source that is reserved for Milepost', () => {
    const patternOf = (eventPattern: EventPattern, more: Partial<MappedEvent> = {}) => {
      const { stack, tracker } = newTracker();
      tracker.addModel('orders', { entry });
      tracker.addEventBridgeSource('Source', { eventPattern, event: { ...common, ...more } });
      const rules = Template.fromStack(stack).findResources('AWS::Events::Rule');
      const [id] = Object.keys(rules).filter((each) => each.includes('Source'));
      return rules[id!]!['Properties'].EventPattern as unknown;
    };
    const detailType = ['order.paid'];
    expect(patternOf({ detailType })).toEqual({
      'detail-type': detailType,
      source: [{ 'anything-but': { prefix: 'milepost:' } }],
    });
    // A pattern that restricts the source is unchanged. Any pattern is unchanged if the mapping does not use the
    // source.
    expect(patternOf({ source: ['shop'] })).toEqual({ source: ['shop'] });
    expect(patternOf({ detailType }, { source: '$.detail.from' })).toEqual({
      'detail-type': detailType,
    });
    expect(() => patternOf({ source: ['shop', 'milepost:api'] })).toThrow(
      /the pattern must not match sources that start with "milepost:".*; got "milepost:api"/,
    );
  });

  it('rejects an unknown model', () => {
    const { app, tracker } = newTracker();
    const event = { modelId: 'ordesr', transactionId: '$.detail.id' };
    tracker.addEventBridgeSource('Source', { eventPattern, event });
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).toThrow(/the model "ordesr" does not exist in the tracker/);
  });
});
