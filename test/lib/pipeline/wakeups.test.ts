import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { templateOf } from '../tracker.ts';

const queue = 'AWS::SQS::Queue';

describe('the queue that wakes the clock', () => {
  let template: Template;
  let url: object;
  beforeAll(() => {
    template = templateOf({}, 'orders');
    const [id] = Object.keys(template.findResources(queue));
    url = { Ref: id };
  });

  it('is encrypted, keeps messages for 20 minutes, and accepts only TLS', () => {
    template.resourceCountIs(queue, 1);
    template.hasResourceProperties(queue, {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_200,
      RedrivePolicy: Match.absent(),
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
  });

  it('receives messages from the clock and from models, and from no other function', () => {
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    const senders = functions.filter(
      ({ Properties }) => Properties.Environment?.Variables?.MILEPOST_WAKEUPS !== undefined,
    );
    expect(senders.map(({ Properties }) => Properties.Description)).toEqual([
      'Milepost: the model orders',
      'Milepost: fires due timers',
    ]);
    for (const { Properties } of senders)
      expect(Properties.Environment.Variables.MILEPOST_WAKEUPS).toEqual(url);
    const permitted = Object.entries(template.findResources('AWS::IAM::Policy')).filter(
      ([, policy]) => JSON.stringify(policy).includes('"sqs:SendMessage"'),
    );
    expect(permitted.map(([id]) => id)).toEqual([
      expect.stringContaining('ordersRole'),
      expect.stringContaining('ClockRole'),
    ]);
  });

  it('has an event source mapping that runs at most two invocations at the same time', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('WakeupsQueue'), 'Arn'] },
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});
