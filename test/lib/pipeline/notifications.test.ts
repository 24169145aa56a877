import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { type NotificationStreamProps, Notifications } from '../../../lib/index.ts';
import { entry, newTracker, type Props, templateOf } from '../tracker.ts';

const bus = 'AWS::Events::EventBus';
const stream = 'AWS::Kinesis::Stream';
const eventSource = 'AWS::Lambda::EventSourceMapping';
const notificationStream = /TrackerNotificationStream/;
const put = 'events:PutEvents';
const arn = { 'Fn::GetAtt': [expect.stringMatching(/^TrackerNotifications/), 'Arn'] };

interface Properties {
  readonly Description: string;
  readonly Environment: { readonly Variables: Record<string, unknown> };
  readonly PolicyDocument: { readonly Statement: { Action: unknown; Resource: unknown }[] };
}
const all = (template: Template, type: string) =>
  Object.entries(template.findResources(type)).map(
    ([id, resource]) => [id, resource['Properties'] as Properties] as const,
  );

function environmentOf(template: Template, model: string): Record<string, unknown> {
  const found = all(template, 'AWS::Lambda::Function').find(
    ([, { Description }]) => Description === `Milepost: the model ${model}`,
  );
  return found![1].Environment.Variables;
}

/**
 * Returns the policies that allow matching actions, each as its logical id, actions, and resources. `on` filters
 * resources by logical id.
 */
function may(template: Template, wanted: RegExp, on = /./): unknown[] {
  return all(template, 'AWS::IAM::Policy').flatMap(([id, { PolicyDocument }]) =>
    PolicyDocument.Statement.filter(
      ({ Action, Resource }) =>
        [Action].flat().some((action) => wanted.test(String(action))) &&
        on.test(JSON.stringify(Resource)),
    ).map(({ Action, Resource }) => [id, Action, Resource]),
  );
}

describe('the notifications of a tracker', () => {
  it('go through a separate stream to a separate bus, with least privilege for each role', () => {
    const template = templateOf({}, 'orders', 'claims');
    template.resourceCountIs(bus, 1);
    expect(may(template, /^events:Put/)).toEqual([
      [expect.stringContaining('Publisher'), put, arn],
    ]);
    const puts = may(template, /^kinesis:Put/, notificationStream);
    expect(puts).toEqual(
      ['orders', 'claims', 'Api'].map((role) => [
        expect.stringContaining(role),
        'kinesis:PutRecords',
        { 'Fn::GetAtt': [expect.any(String), 'Arn'] },
      ]),
    );
    for (const model of ['orders', 'claims'])
      expect(environmentOf(template, model)['MILEPOST_NOTIFICATION_STREAM']).toEqual({
        Ref: expect.stringMatching(notificationStream),
      });
  });

  it('are retained for a day on an encrypted one-shard stream that is named after the event stream', () => {
    templateOf({ streamName: 'mine' }).hasResourceProperties(stream, {
      Name: 'mine-notifications',
      ShardCount: 1,
      StreamModeDetails: { StreamMode: 'PROVISIONED' },
      RetentionPeriodHours: 24,
      StreamEncryption: { EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' },
    });
  });

  it('can use a stream with more shards, on-demand mode, or a longer retention', () => {
    const of = (props: NotificationStreamProps) =>
      templateOf({ notifications: Notifications.toNewBus(props) });
    of({ shards: 4 }).hasResourceProperties(stream, { ShardCount: 4 });
    of({ shards: 'on-demand' }).hasResourceProperties(stream, {
      Name: 'milepost-events-notifications',
      ShardCount: Match.absent(),
      StreamModeDetails: { StreamMode: 'ON_DEMAND' },
    });
    of({ retention: Duration.days(3) }).hasResourceProperties(stream, { RetentionPeriodHours: 72 });
    of({ retention: Duration.days(3) }).hasResourceProperties(eventSource, {
      MaximumRecordAgeInSeconds: 70 * 3_600,
    });
    of({ retention: Duration.days(30) }).hasResourceProperties(eventSource, {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('NotificationStream'), 'Arn'] },
      MaximumRecordAgeInSeconds: 7 * 86_400,
    });
  });

  it.each([0, -1, 1.5, Number.NaN])('cannot have a stream of %d shards', (shards) => {
    expect(() => templateOf({ notifications: Notifications.toStream({ shards }) })).toThrow(
      `\`shards\`, unless it is 'on-demand', must be an integer of at least 1; got ${shards}`,
    );
  });

  it('require an event stream name that leaves room for the suffix of the notification stream', () => {
    expect(() => templateOf({ streamName: 'x'.repeat(115) })).toThrow(
      '`streamName` must have at most 114 characters',
    );
    templateOf({ streamName: 'x'.repeat(115), notifications: Notifications.none() });
  });

  it('reach the publisher through an event source that bisects failed batches and moves discarded records to the failure bucket', () => {
    templateOf({}).hasResourceProperties(eventSource, {
      FunctionName: { Ref: Match.stringLikeRegexp('Publisher') },
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('NotificationStream'), 'Arn'] },
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 10,
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 22 * 3_600,
      DestinationConfig: {
        OnFailure: {
          Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('DispatcherFailures'), 'Arn'] },
        },
      },
    });
  });

  it('stay on their stream with Notifications.toStream(), without a bus or a publisher', () => {
    const { stack, tracker } = newTracker({ notifications: Notifications.toStream() });
    tracker.addModel('orders', { entry });
    const reader = new Role(stack, 'Reader', { assumedBy: new AccountRootPrincipal() });
    tracker.notificationStream.grantRead(reader);
    const template = Template.fromStack(stack);
    template.resourceCountIs(bus, 0);
    template.resourceCountIs(eventSource, 3);
    template.resourceCountIs(stream, 2);
    expect(may(template, /^events:Put/)).toEqual([]);
    expect(may(template, /^kinesis:GetRecords/, notificationStream)).toEqual([
      [expect.stringContaining('Reader'), expect.anything(), expect.anything()],
    ]);
    expect(environmentOf(template, 'orders')).toHaveProperty('MILEPOST_NOTIFICATION_STREAM');
    expect(() => tracker.notifications).toThrow(/no notification bus/);
  });

  it('support a customer managed key, which EventBridge can use only for their bus', () => {
    const { app, stack, tracker } = newTracker((scope) => ({
      encryptionKey: new Key(scope, 'Key', { enableKeyRotation: true }),
    }));
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).not.toThrow();
    const template = Template.fromStack(stack);
    template.hasResourceProperties(bus, {
      KmsKeyIdentifier: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Key'), 'Arn'] },
    });
    template.hasResourceProperties(stream, {
      Name: 'milepost-events-notifications',
      StreamEncryption: {
        KeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Key'), 'Arn'] },
      },
    });
    template.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Principal: { Service: 'events.amazonaws.com' },
            Action: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'],
            Condition: { StringEquals: Match.objectLike({ 'aws:SourceArn': Match.anyValue() }) },
          }),
        ]),
      },
    });
  });

  it('go to a dead-letter queue, which does not need the key, if their bus cannot use a customer managed key', () => {
    const template = templateOf((scope) => ({ encryptionKey: new Key(scope, 'Key') }));
    const queue = {
      'Fn::GetAtt': [Match.stringLikeRegexp('^TrackerNotificationsDeadLetters'), 'Arn'],
    };
    template.hasResourceProperties(bus, { DeadLetterConfig: { Arn: queue } });
    template.hasResourceProperties('AWS::SQS::Queue', {
      KmsMasterKeyId: Match.absent(),
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
          {
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Resource: queue,
            Condition: {
              ArnEquals: {
                'aws:SourceArn': {
                  'Fn::GetAtt': [Match.stringLikeRegexp('^TrackerNotifications'), 'Arn'],
                },
              },
            },
          },
        ],
      },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.stringLikeRegexp('#undeliverednotifications$'),
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 0,
    });
  });

  it.each<[string, Props]>([
    ['no key', {}],
    [
      'a key and an existing bus',
      (scope) => ({
        encryptionKey: new Key(scope, 'Key'),
        notifications: Notifications.toBus(EventBus.fromEventBusName(scope, 'Bus', 'company')),
      }),
    ],
  ])('need no dead-letter queue with %s', (_, props) => {
    const template = templateOf(props);
    template.resourcePropertiesCountIs(
      bus,
      Match.objectLike({ DeadLetterConfig: Match.anyValue() }),
      0,
    );
    expect(
      template.findResources('AWS::CloudWatch::Alarm', {
        Properties: { MetricName: 'ApproximateNumberOfMessagesVisible' },
      }),
    ).toEqual({});
  });

  it('can go to an existing bus, even in another account', () => {
    const eventBusArn = 'arn:aws:events:eu-west-1:123456789012:event-bus/company';
    const { stack, tracker } = newTracker((scope) => ({
      notifications: Notifications.toBus(EventBus.fromEventBusArn(scope, 'Company', eventBusArn)),
    }));
    tracker.addModel('orders', { entry });
    const template = Template.fromStack(stack);
    template.resourceCountIs(bus, 0);
    expect(may(template, /^events:Put/)).toEqual([
      [expect.stringContaining('Publisher'), put, eventBusArn],
    ]);
    expect(tracker.notifications.eventBusName).toBe('company');
  });

  it('are published on the bus only if they match the filter', () => {
    const filter = { types: ['MilestoneLate'], models: ['orders'] };
    const shards = 2;
    const existing = (stack: Stack) => EventBus.fromEventBusName(stack, 'Existing', 'company');
    const both: Props[] = [
      { notifications: Notifications.toNewBus({ filter, shards }) },
      (stack) => ({ notifications: Notifications.toBus(existing(stack), { filter, shards }) }),
    ];
    for (const props of both) {
      const template = templateOf(props, 'orders');
      template.hasResourceProperties('AWS::Lambda::Function', {
        Description: Match.stringLikeRegexp('publishes notifications'),
        Environment: {
          Variables: { MILEPOST_NOTIFICATION_FILTER: JSON.stringify(filter) },
        },
      });
      template.hasResourceProperties(stream, { ShardCount: shards });
    }
  });

  it.each(['types', 'models'])('cannot have a filter whose %s are not a list', (name) => {
    const filter = { [name]: 'MilestoneLate' as unknown as string[] };
    expect(() => Notifications.toNewBus({ filter })).toThrow(
      `\`filter.${name}\` must be a list of ${name}; got "MilestoneLate"`,
    );
  });

  it.each(['types', 'models'])('cannot have a filter with no %s', (name) => {
    expect(() => Notifications.toNewBus({ filter: { [name]: [] } })).toThrow(
      `\`filter.${name}\` must not be empty; omit it to publish all ${name}, or use Notifications.toStream()`,
    );
  });

  it.each(['types', 'models'])('cannot have a filter whose %s are not names', (name) => {
    for (const [value, text] of [[7, '7'] as const, ['', '""'] as const]) {
      const filter = { [name]: ['MilestoneLate', value] as unknown as string[] };
      expect(() => Notifications.toNewBus({ filter })).toThrow(
        `\`filter.${name}\` must contain only names of ${name}; got ${text}`,
      );
    }
  });

  it.each(['milestoneLate', 'MILESTONELATE'])(
    'cannot have a filter with the type %s, which has a different capitalization',
    (type) => {
      expect(() => Notifications.toNewBus({ filter: { types: [type] } })).toThrow(
        `exact capitalization; got "${type}"; did you mean \`MilestoneLate\`?`,
      );
    },
  );

  it('can have a filter with types that models choose, with a warning if a type resembles one of Milepost', () => {
    const warningsFor = (...types: string[]) => {
      const { stack } = newTracker({
        notifications: Notifications.toNewBus({ filter: { types } }),
      });
      return Annotations.fromStack(stack)
        .findWarning('*', Match.anyValue())
        .map(({ entry: { data } }) => data);
    };
    expect(warningsFor('NearlySoldOut', 'StatusChanged', 'InstanceDone')).toEqual([]);
    expect(warningsFor('NearlySoldOut', 'MilestonesLate')).toEqual([
      expect.stringContaining(
        'the type "MilestonesLate", which is not one of Milepost\'s own types; did you mean `MilestoneLate`?',
      ),
    ]);
  });

  it('cannot have a filter that exceeds the limit of the environment variables', () => {
    const models = Array.from({ length: 64 }, (_, index) => `${'m'.repeat(60)}${index}`);
    expect(() =>
      newTracker({ notifications: Notifications.toNewBus({ filter: { models } }) }),
    ).toThrow(
      /the environment variables of Test\/Tracker\/Publisher must take less than 4096 bytes as JSON, .* of which MILEPOST_NOTIFICATION_FILTER takes 4\d{3}$/,
    );
  });

  it('cannot have a filter with a model that does not exist', () => {
    const { app, tracker } = newTracker({
      notifications: Notifications.toNewBus({ filter: { models: ['orders', 'order'] } }),
    });
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).toThrow(
      'the notification filter names the model "order", which does not exist in the tracker',
    );
  });

  it('can be turned off', () => {
    const { stack, tracker } = newTracker({ notifications: Notifications.none() });
    tracker.addModel('orders', { entry });
    const template = Template.fromStack(stack);
    template.resourceCountIs(bus, 0);
    template.resourceCountIs(stream, 1);
    template.resourceCountIs(eventSource, 3);
    expect(may(template, /^events:Put/)).toEqual([]);
    expect(may(template, /^kinesis:/, notificationStream)).toEqual([]);
    expect(environmentOf(template, 'orders')).not.toHaveProperty('MILEPOST_NOTIFICATION_STREAM');
    expect(() => tracker.notifications).toThrow(/no notification bus/);
    expect(() => tracker.notificationStream).toThrow(/no notification stream/);
  });

  it('can be matched by rules that the app defines', () => {
    const { stack, tracker } = newTracker();
    const eventPattern = { source: ['milepost'], detailType: ['MilestoneLate'] };
    const rule = new Rule(stack, 'Late', { eventBus: tracker.notifications, eventPattern });
    expect(rule.ruleName).toBeDefined();
    Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('^TrackerNotifications') },
      EventPattern: { source: ['milepost'], 'detail-type': ['MilestoneLate'] },
    });
  });
});
