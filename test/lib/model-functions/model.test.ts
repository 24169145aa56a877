import { Duration } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { entry, newTracker, templateOf } from '../tracker.ts';

const resource = 'Custom::MilepostModel';

const arnOf = (name: string) => ({ 'Fn::GetAtt': [expect.stringContaining(name), 'Arn'] });

describe('addModel', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({}, 'orders', 'order-items');
  });

  it('creates a function whose variables contain the name of the instances table', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Milepost: the model orders',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: 512,
      Timeout: 10,
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      Environment: {
        Variables: { MILEPOST_INSTANCES_TABLE: { Ref: Match.stringLikeRegexp('Instances') } },
      },
    });
  });

  it('registers the model after the registrar can invoke its function', () => {
    template.resourceCountIs(resource, 2);
    template.hasResource(resource, {
      Properties: {
        ServiceToken: { 'Fn::GetAtt': [Match.stringLikeRegexp('RegistrarFunction'), 'Arn'] },
        ServiceTimeout: '900',
        ModelId: 'orders',
        FunctionArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('ordersFunction'), 'Arn'] },
        CodeHash: Match.stringLikeRegexp('^[0-9a-f]{64}\\.zip$'),
      },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('RegistrarRoleDefaultPolicy')]),
    });
  });

  it('registers the model again if its code changes', () => {
    const registered = Object.values(template.findResources(resource));
    for (const { Properties } of registered) {
      const [name] = Properties.FunctionArn['Fn::GetAtt'];
      const { Code } = template.toJSON()['Resources'][name].Properties;
      expect(Properties.CodeHash).toBe(Code.S3Key);
    }
  });

  it('publishes a version, which is retained when a newer version replaces it', () => {
    template.resourceCountIs('AWS::Lambda::Version', 2);
    template.allResources('AWS::Lambda::Version', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    const [name, version] = Object.entries(template.findResources('AWS::Lambda::Version')).find(
      ([id]) => id.includes('orders'),
    )!;
    expect(version['Properties']).toMatchObject({
      FunctionName: { Ref: expect.stringContaining('ordersFunction') },
    });
    template.hasResourceProperties(resource, {
      ModelId: 'orders',
      FunctionVersion: { 'Fn::GetAtt': [name, 'Version'] },
    });
  });

  it('publishes a new version if the settings of the function change, but not if they stay the same', () => {
    const versionOf = (memorySize: number) => {
      const { stack, tracker } = newTracker();
      tracker.addModel('orders', { entry, memorySize });
      return Object.keys(Template.fromStack(stack).findResources('AWS::Lambda::Version'));
    };
    expect(versionOf(512)).toEqual(versionOf(512));
    expect(versionOf(512)).not.toEqual(versionOf(1024));
  });

  it.each([
    ['Dispatcher', 'in any version'],
    ['Api', 'in any version'],
    ['Registrar', 'as deployed'],
  ])("permits the %s to invoke each model's function %s, and no other function", (role) => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, policy] = policies.find(([id]) => id.includes(`${role}RoleDefaultPolicy`)) ?? [];
    const invoked = policy?.['Properties'].PolicyDocument.Statement.filter(
      ({ Action }: { Action: string | string[] }) =>
        [Action].flat().some((a) => a.startsWith('lambda:Invoke')),
    );
    const resourcesOf = (name: string) => {
      const arn = arnOf(name);
      return role === 'Registrar' ? arn : [arn, { 'Fn::Join': ['', [arn, ':*']] }];
    };
    expect(invoked).toEqual(
      ['ordersFunction', 'orderitemsFunction'].map((name) => ({
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: resourcesOf(name),
      })),
    );
  });

  it('removes the model from the registry when it is removed from the stack', () => {
    const left = templateOf({}, 'orders');
    left.resourceCountIs(resource, 1);
    left.hasResourceProperties(resource, { ModelId: 'orders' });
    // The registration of the other model is the same resource as before, so CloudFormation does not change it.
    expect(Object.keys(template.findResources(resource))).toContain(
      Object.keys(left.findResources(resource))[0],
    );
    left.allResources(resource, { DeletionPolicy: 'Delete' });
  });

  it('sets the configured memory size, timeout, and environment variables', () => {
    const { stack, tracker } = newTracker();
    const model = tracker.addModel('orders', {
      entry,
      memorySize: 1024,
      timeout: Duration.minutes(1),
      environment: { CURRENCY: 'EUR' },
    });
    model.function.addEnvironment('COUNTRY', 'NL');
    Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Milepost: the model orders',
      MemorySize: 1024,
      Timeout: 60,
      Environment: {
        Variables: {
          CURRENCY: 'EUR',
          COUNTRY: 'NL',
          MILEPOST_INSTANCES_TABLE: { Ref: Match.stringLikeRegexp('Instances') },
        },
      },
    });
  });

  it("rejects environment variables whose names are reserved for Milepost's own variables", () => {
    const { tracker } = newTracker();
    const environment = { MILEPOST_INSTANCES_TABLE: 'mine' };
    expect(() => tracker.addModel('orders', { entry, environment })).toThrow(
      'model "orders": names in `environment` must not start with MILEPOST_, which is reserved for Milepost\'s own variables; got "MILEPOST_INSTANCES_TABLE"',
    );
  });

  it('rejects the id of an existing model', () => {
    const { tracker } = newTracker();
    tracker.addModel('orders', { entry });
    expect(() => tracker.addModel('orders', { entry })).toThrow(
      expect.objectContaining({ code: 'bad-model', message: expect.stringMatching(/already/) }),
    );
  });

  it.each(['', 'Orders', 'my_orders', 'orders/1', 'a'.repeat(65), 'orders\n'])(
    'rejects the model id %j',
    (id) => {
      const { tracker } = newTracker();
      expect(() => tracker.addModel(id, { entry })).toThrow(
        expect.objectContaining({ code: 'bad-model', message: expect.stringMatching(/model id/) }),
      );
    },
  );

  it('accepts every model id that an event can contain', () => {
    const { tracker } = newTracker();
    for (const id of ['a', '-', '0', 'map-reduce', 'a'.repeat(64)])
      expect(tracker.addModel(id, { entry }).node.id).toBe(id);
  });

  it('rejects a model with a timeout that is too long for the dispatcher', () => {
    const { tracker } = newTracker();
    expect(() => tracker.addModel('orders', { entry, timeout: Duration.minutes(3) })).toThrow(
      expect.objectContaining({ code: 'bad-model', message: expect.stringMatching(/got 180/) }),
    );
  });
});
