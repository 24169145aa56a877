import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { beforeAll, describe, expect, it } from 'vitest';
import { Notifications } from '../../lib/index.ts';
import { entry, newTracker, templateOf } from './tracker.ts';

const alarm = 'AWS::CloudWatch::Alarm';

const functionOf = (name: string) => [
  { Name: 'FunctionName', Value: { Ref: Match.stringLikeRegexp(`${name}.*Function`) } },
];
const ofEventSourceOf = (name: string) => [
  {
    Name: 'EventSourceMappingUUID',
    Value: { Ref: Match.stringLikeRegexp(`${name}.*EventSource`) },
  },
];
const lambda = { Namespace: 'AWS/Lambda', Statistic: 'Sum', Threshold: 0 };
const ours = { Namespace: 'Milepost/milepost-events', Statistic: 'Sum', Threshold: 0 };
const atOnce = { EvaluationPeriods: 1, DatapointsToAlarm: 1 };
const lasting = { EvaluationPeriods: 5, DatapointsToAlarm: 3 };
const any = { EvaluationPeriods: 5, DatapointsToAlarm: 1 };

describe('the alarms', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf((stack) => ({ alarmTopic: new Topic(stack, 'Topic') }), 'orders');
  });

  it.each([
    [
      'IteratorAge',
      {
        ...lambda,
        Dimensions: functionOf('Dispatcher'),
        Statistic: 'Maximum',
        Threshold: 60_000,
        EvaluationPeriods: 3,
        DatapointsToAlarm: 3,
      },
    ],
    ['DeadLetters', { ...ours, ...any, Dimensions: Match.absent() }],
    ['Parked', { ...ours, ...any, Dimensions: Match.absent() }],
    [
      'OnFailureDestinationDeliveredEventCount',
      { ...lambda, ...atOnce, Dimensions: ofEventSourceOf('Dispatcher') },
    ],
    ['DroppedEventCount', { ...lambda, ...atOnce, Dimensions: ofEventSourceOf('Dispatcher') }],
    ['Errors', { ...lambda, ...lasting, Dimensions: functionOf('Dispatcher') }],
    ['Throttles', { ...lambda, ...lasting, Dimensions: functionOf('Dispatcher') }],
    [
      '5xx',
      {
        ...lasting,
        Namespace: 'AWS/ApiGateway',
        Statistic: 'Sum',
        Dimensions: [{ Name: 'ApiId', Value: { Ref: Match.stringLikeRegexp('HttpApi') } }],
      },
    ],
    ['Throttles', { ...lambda, ...lasting, Dimensions: functionOf('Api') }],
    ['AsyncEventsDropped', { ...lambda, ...lasting, Dimensions: functionOf('Clock') }],
    [
      'IteratorAge',
      {
        ...lambda,
        Dimensions: functionOf('Publisher'),
        Statistic: 'Maximum',
        Threshold: 60_000,
        EvaluationPeriods: 3,
        DatapointsToAlarm: 3,
      },
    ],
    ['Errors', { ...lambda, ...lasting, Dimensions: functionOf('Publisher') }],
    ['RefusedNotifications', { ...ours, ...any, Dimensions: Match.absent() }],
    [
      'OnFailureDestinationDeliveredEventCount',
      { ...lambda, ...atOnce, Dimensions: ofEventSourceOf('Publisher') },
    ],
    ['DroppedEventCount', { ...lambda, ...atOnce, Dimensions: ofEventSourceOf('Publisher') }],
    [
      'PutRecords.ThrottledRecords',
      {
        ...lasting,
        Namespace: 'AWS/Kinesis',
        Statistic: 'Sum',
        Threshold: 0,
        Dimensions: [
          { Name: 'StreamName', Value: { Ref: Match.stringLikeRegexp('NotificationStream') } },
        ],
      },
    ],
    ['Errors', { ...lambda, ...lasting, Dimensions: functionOf('orders') }],
    ['Throttles', { ...lambda, ...lasting, Dimensions: functionOf('orders') }],
  ])('watch %s, and tell the topic', (MetricName, properties) => {
    template.hasResourceProperties(alarm, {
      MetricName,
      ...properties,
      Period: 60,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
  });

  it('are no others', () => template.resourceCountIs(alarm, 18));

  it.each([
    ['no notifications where there are none', Notifications.none(), 10],
    ['the stream of notifications alone where no bus gets them', Notifications.toStream(), 11],
  ])('watch %s', (_, notifications, count) => {
    expect(Object.keys(templateOf({ notifications }).findResources(alarm))).toHaveLength(count);
  });

  it('watch customers’ pages where there are any', () => {
    templateOf({ customerPages: true }).hasResourceProperties(alarm, {
      MetricName: 'Throttles',
      ...lambda,
      ...lasting,
      Dimensions: functionOf('CustomerPages'),
    });
  });

  it('each say where it is written what to do', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const sections = page.split(/^(?=#+ )/m).flatMap((section): [string, string][] => {
      const [, name] = /^### (\w+)\n/.exec(section) ?? [];
      return name ? [[name.toLowerCase(), section]] : [];
    });
    const found = new Map(sections);
    const { stack, tracker } = newTracker({ archive: true, customerPages: true });
    tracker.addModel('orders', { entry });
    tracker.addEventBridgeSource('Source', {
      eventPattern: { source: ['shop'] },
      event: { modelId: 'orders', transactionId: '$.detail.id' },
    });
    const every = Template.fromStack(stack);
    expect(Object.keys(every.findResources(alarm))).toHaveLength(21);
    const descriptions = Object.values(every.findResources(alarm)).map(
      ({ Properties }) => Properties.AlarmDescription as string,
    );
    for (const description of descriptions) {
      const [, section = ''] = /docs\/operations\.md#(\w+)$/.exec(description) ?? [];
      for (const part of ['**Means.**', '**Look.**', '**Do.**'])
        expect(`${section}: ${found.get(section)}`).toContain(part);
    }
  });

  it('are there without a topic, and can be given other actions', () => {
    const { tracker } = newTracker({ iteratorAgeAlarm: Duration.minutes(5) });
    tracker.addModel('orders', { entry });
    expect(tracker.alarms).toHaveLength(18);
    templateOf({ iteratorAgeAlarm: Duration.minutes(5) }).hasResourceProperties(alarm, {
      MetricName: 'IteratorAge',
      Threshold: 300_000,
      AlarmActions: Match.absent(),
    });
  });
});
