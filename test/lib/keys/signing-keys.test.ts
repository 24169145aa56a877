import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { readKeyRing } from '../../../src/core/event/key-ring.ts';
import { grantsOf } from '../statements.ts';
import { entry, newTracker, type Props, templateOf } from '../tracker.ts';

const secret = 'AWS::SecretsManager::Secret';
const schedule = 'AWS::SecretsManager::RotationSchedule';

describe('the signing keys of a tracker', () => {
  it('start with a key ring of one key, which CloudFormation generates', () => {
    const [{ Properties }] = Object.values(templateOf({}).findResources(secret)) as [
      { Properties: { GenerateSecretString: Record<string, unknown> } },
    ];
    const { SecretStringTemplate, GenerateStringKey, PasswordLength } =
      Properties.GenerateSecretString;
    const generated = {
      ...(JSON.parse(String(SecretStringTemplate)) as object),
      [String(GenerateStringKey)]: 'x'.repeat(Number(PasswordLength)),
    };
    expect([...readKeyRing(JSON.stringify(generated)).values()]).toMatchObject([{ from: 0 }]);
  });

  it('are rotated every 90 days or at the configured interval, but not during a deployment', () => {
    const rules = (days: number) => ({
      RotationRules: { AutomaticallyAfterDays: days },
      RotateImmediatelyOnUpdate: false,
    });
    templateOf({}).hasResourceProperties(schedule, rules(90));
    const often = templateOf({ signingKeyRotation: Duration.days(7) });
    often.hasResourceProperties(schedule, rules(7));
  });

  it('are not rotated if rotation is turned off', () => {
    const never = templateOf({ signingKeyRotation: 'none' });
    expect(Object.keys(never.findResources(schedule))).toEqual([]);
    expect(Object.keys(never.findResources(secret))).toHaveLength(1);
  });

  it.each([Duration.hours(12), Duration.days(1_001), Duration.days(0), Duration.hours(36)])(
    'cannot have a rotation interval of %s',
    (signingKeyRotation) => {
      expect(() => newTracker({ signingKeyRotation })).toThrow(
        /^`signingKeyRotation`, unless it is 'none', must be a whole number of days, from 1 to 1000; got /,
      );
    },
  );

  it("are rotated by a function that only this account's Secrets Manager can invoke", () => {
    templateOf({}).hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
      FunctionName: Match.objectLike({
        'Fn::GetAtt': [Match.stringLikeRegexp('SigningKeysRotation'), 'Arn'],
      }),
    });
  });

  it('are retained unless the removal policy is DESTROY', () => {
    const policies = (props: Props) =>
      Object.values(templateOf(props).findResources(secret)).map(
        (found) => found['DeletionPolicy'] as unknown,
      );
    expect(policies({})).toEqual(['Retain']);
    expect(policies({ removalPolicy: RemovalPolicy.DESTROY })).toEqual(['Delete']);
  });

  it('can be read by the Lambda functions of models and by the hosts of model functions, but not by the model functions themselves', () => {
    const { stack, tracker } = newTracker();
    const folding = new Function(stack, 'Loans', {
      runtime: Runtime.PYTHON_3_13,
      code: Code.fromInline('def handler(event, context): pass'),
      handler: 'index.handler',
    });
    tracker.addModel('orders', { entry });
    tracker.addModelFunction('loans', { function: folding });
    const readers = grantsOf(Template.fromStack(stack)).filter(({ actions }) =>
      actions.includes('secretsmanager:GetSecretValue'),
    );
    expect(readers.map(({ role }) => role).toSorted()).toEqual([
      'Api',
      'Clock',
      'Dispatcher',
      'Modelsloans',
      'Modelsorders',
      'SigningKeysRotation',
      'Wakeups',
    ]);
  });
});
