import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../lib/index.ts';
import { entry, newTracker, templateOf } from './tracker.ts';

const bus = 'AWS::Events::EventBus';
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

/** What the function of a model finds in its environment. */
function environmentOf(template: Template, model: string): Record<string, unknown> {
  const found = all(template, 'AWS::Lambda::Function').find(
    ([, { Description }]) => Description === `Milepost: the model ${model}`,
  );
  return found![1].Environment.Variables;
}

/** Who may do something with events, what, and where: by the logical id of the policy. */
function publishers(template: Template): unknown[] {
  return all(template, 'AWS::IAM::Policy').flatMap(([id, { PolicyDocument }]) =>
    PolicyDocument.Statement.filter(({ Action }) =>
      [Action].flat().some((action) => String(action).startsWith('events:')),
    ).map(({ Action, Resource }) => [id, Action, Resource]),
  );
}

describe('the notifications of a tracker', () => {
  it('go to a bus of its own, where models alone may put them, and nowhere else', () => {
    const template = templateOf({}, 'orders', 'claims');
    template.resourceCountIs(bus, 1);
    expect(publishers(template)).toEqual([
      [expect.stringContaining('orders'), put, arn],
      [expect.stringContaining('claims'), put, arn],
    ]);
    for (const model of ['orders', 'claims'])
      expect(environmentOf(template, model)['MILEPOST_BUS']).toEqual(arn);
  });

  it('are encrypted by a key of your own, which EventBridge may use for that bus alone', () => {
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

  it('go to a bus that is there already, also in another account', () => {
    const eventBusArn = 'arn:aws:events:eu-west-1:123456789012:event-bus/company';
    const { stack, tracker } = newTracker((scope) => ({
      notifications: Notifications.toBus(EventBus.fromEventBusArn(scope, 'Company', eventBusArn)),
    }));
    tracker.addModel('orders', { entry });
    const template = Template.fromStack(stack);
    template.resourceCountIs(bus, 0);
    expect(environmentOf(template, 'orders')['MILEPOST_BUS']).toBe(eventBusArn);
    expect(publishers(template)).toEqual([[expect.stringContaining('orders'), put, eventBusArn]]);
    expect(tracker.notifications.eventBusName).toBe('company');
  });

  it('can be turned off', () => {
    const { stack, tracker } = newTracker({ notifications: Notifications.none() });
    tracker.addModel('orders', { entry });
    const template = Template.fromStack(stack);
    template.resourceCountIs(bus, 0);
    expect(publishers(template)).toEqual([]);
    expect(environmentOf(template, 'orders')).not.toHaveProperty('MILEPOST_BUS');
    expect(() => tracker.notifications).toThrow(/publishes no notifications/);
  });

  it('can be matched by rules', () => {
    const { stack, tracker } = newTracker();
    const eventPattern = { source: ['milepost'], detailType: ['InstanceLate'] };
    const rule = new Rule(stack, 'Late', { eventBus: tracker.notifications, eventPattern });
    expect(rule.ruleName).toBeDefined();
    Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('^TrackerNotifications') },
      EventPattern: { source: ['milepost'], 'detail-type': ['InstanceLate'] },
    });
  });
});
