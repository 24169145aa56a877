import { Duration, type Stack, Token, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Alias, Code, Function, type IFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelFunctionProps } from '../../../lib/index.ts';
import { newTracker } from '../tracker.ts';

const newFunction = (stack: Stack, more: { timeout?: Duration; handler?: string } = {}) =>
  new Function(stack, 'Loans', {
    runtime: Runtime.PYTHON_3_13,
    code: Code.fromInline('def handler(event, context): ...'),
    handler: 'index.handler',
    ...more,
  });

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: readonly string[];
}

/** The resources of a tracker with a model function, by logical id. */
function resourcesOf(more: Partial<ModelFunctionProps> = {}, handler?: string) {
  const { stack, tracker } = newTracker();
  tracker.addModelFunction('loans', { function: newFunction(stack, { handler }), ...more });
  return Object.entries(
    Template.fromStack(stack).toJSON()['Resources'] as Record<string, Resource>,
  );
}

const registration = (resources: [string, Resource][]) =>
  resources.find(([, { Type }]) => Type === 'Custom::MilepostModel')![1];

describe('addModelFunction', () => {
  let resources: [string, Resource][];
  beforeAll(() => {
    resources = resourcesOf();
  });

  const functionNamed = (name: string) =>
    resources.find(([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(name))!;

  it('adds a host whose environment variables contain the function and the model', () => {
    const [, { Properties }] = functionNamed('TrackerModelsloans');
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Timeout: 30,
      Environment: {
        Variables: {
          MILEPOST_MODEL: 'loans',
          MILEPOST_FUNCTION: { 'Fn::GetAtt': [expect.stringMatching(/^Loans/), 'Arn'] },
          MILEPOST_STREAM: expect.anything(),
        },
      },
    });
  });

  it('rejects a revision that is not a text, because every object would be the same revision', () => {
    const revision = { commit: '879b42e2' } as unknown as string;
    expect(() => resourcesOf({ revision })).toThrow(
      "model \"loans\": `revision` must be a text, such as '2'; got { commit: '879b42e2' }",
    );
  });

  it('permits only the host to invoke the function and grants nothing to the function', () => {
    const arn = { 'Fn::GetAtt': [functionNamed('Loans')[0], 'Arn'] };
    const policies = resources.filter(([, { Type }]) => Type === 'AWS::IAM::Policy');
    const invoking = policies.filter(([, policy]) =>
      JSON.stringify(policy).includes(JSON.stringify(arn)),
    );
    expect(invoking.map(([id]) => id)).toEqual([expect.stringContaining('ModelsloansRole')]);
    const own = policies.filter(([id]) => id.startsWith('Loans'));
    expect(own).toEqual([]);
  });

  it('registers the host after the host can invoke the function', () => {
    const { Properties, DependsOn } = registration(resources);
    expect(Properties).toMatchObject({
      ModelId: 'loans',
      FunctionArn: { 'Fn::GetAtt': [functionNamed('TrackerModelsloans')[0], 'Arn'] },
    });
    expect(DependsOn).toEqual(
      expect.arrayContaining([
        expect.stringContaining('ModelsloansRoleDefaultPolicy'),
        functionNamed('Loans')[0],
      ]),
    );
  });

  it('registers the model again if the function or its revision changes', () => {
    const { CodeHash } = registration(resources).Properties;
    expect(registration(resourcesOf()).Properties['CodeHash']).toBe(CodeHash);
    expect(registration(resourcesOf({}, 'other.handler')).Properties['CodeHash']).not.toBe(
      CodeHash,
    );
    expect(registration(resourcesOf({ revision: '2' })).Properties['CodeHash']).not.toBe(CodeHash);
  });

  it('registers the model again if an alias or a version of the function changes', () => {
    const codeHash = (handler: string, given: (fn: Function) => IFunction) => {
      const { stack, tracker } = newTracker();
      tracker.addModelFunction('loans', { function: given(newFunction(stack, { handler })) });
      const made = Object.entries<Resource>(Template.fromStack(stack).toJSON()['Resources']);
      return registration(made).Properties['CodeHash'];
    };
    const version = ({ currentVersion }: Function) => currentVersion;
    const alias = (fn: Function) =>
      new Alias(fn, 'Live', { aliasName: 'live', version: version(fn) });
    for (const given of [version, alias]) {
      expect(codeHash('index.handler', given)).toEqual(codeHash('index.handler', given));
      expect(codeHash('other.handler', given)).not.toEqual(codeHash('index.handler', given));
    }
  });

  it('accepts a function that is imported by its ARN, and sets the timeout of its host to 120 s', () => {
    const { stack, tracker } = newTracker();
    const arn = 'arn:aws:lambda:eu-west-1:222222222222:function:loans';
    const { function: host } = tracker.addModelFunction('loans', {
      function: Function.fromFunctionArn(stack, 'Imported', arn),
    });
    expect(JSON.stringify(Template.fromStack(stack).toJSON())).toContain(`"Resource":"${arn}"`);
    expect(host.timeout?.toSeconds()).toBe(120);
  });

  it.each([
    [10, 'no option `timeout`', 30, undefined],
    [20, 'no option `timeout`', 50, undefined],
    [100, 'no option `timeout`', 120, undefined],
    [100, 'the option `timeout` 110 s', 110, 110],
  ])(
    "with a function timeout of %d s and %s sets the host's timeout to %d s",
    (its, _, seconds, own) => {
      const { stack, tracker } = newTracker();
      const { function: host } = tracker.addModelFunction('loans', {
        function: newFunction(stack, { timeout: Duration.seconds(its) }),
        timeout: own === undefined ? undefined : Duration.seconds(own),
      });
      expect(host.timeout?.toSeconds()).toBe(seconds);
    },
  );

  it.each([
    [120, 'no option `timeout`', undefined, /shorter than .* \(120 s\)/],
    [30, 'the option `timeout` 30 s', 30, /shorter than .* \(30 s\)/],
    [3, 'the option `timeout` 180 s', 180, /at most 120 seconds; got 180/],
  ])('rejects a function timeout of %d s with %s', (its, _, own, message) => {
    const { stack, tracker } = newTracker();
    const props = {
      function: newFunction(stack, { timeout: Duration.seconds(its) }),
      timeout: own === undefined ? undefined : Duration.seconds(own),
    };
    expect(() => tracker.addModelFunction('loans', props)).toThrow(
      expect.objectContaining({ code: 'bad-model', message: expect.stringMatching(message) }),
    );
  });

  it('rejects a timeout that is not known during synthesis', () => {
    const { stack, tracker } = newTracker();
    const timeout = Duration.seconds(Token.asNumber({ Ref: 'Timeout' }));
    expect(() =>
      tracker.addModelFunction('loans', { function: newFunction(stack), timeout }),
    ).toThrow('model "loans": `timeout` must be known during synthesis; got a token');
  });

  it("sets the host's timeout to 120 s if the timeout of the function is not known during synthesis", () => {
    const { stack, tracker } = newTracker();
    const timeout = Duration.seconds(Token.asNumber({ Ref: 'Timeout' }));
    const { function: host } = tracker.addModelFunction('loans', {
      function: newFunction(stack, { timeout }),
    });
    expect(host.timeout?.toSeconds()).toBe(120);
  });

  it('rejects the ARN of a function in place of the function', () => {
    const { tracker } = newTracker();
    const arn = 'arn:aws:lambda:eu-west-1:222222222222:function:loans';
    expect(() =>
      tracker.addModelFunction('loans', { function: arn as unknown as IFunction }),
    ).toThrow(`\`function\` must be a function, such as Function.fromFunctionArn(…); got "${arn}"`);
  });

  it('rejects the id of an existing model', () => {
    const { stack, tracker } = newTracker();
    const props = { function: newFunction(stack) };
    tracker.addModelFunction('loans', props);
    expect(() => tracker.addModelFunction('loans', props)).toThrow(/already/);
  });

  it('passes cdk-nag', () => {
    const { app, stack, tracker } = newTracker();
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const imported = 'arn:aws:lambda:eu-west-1:222222222222:function:loans';
    tracker.addModelFunction('loans', {
      function: Function.fromFunctionArn(stack, 'Imported', imported),
    });
    expect(() => app.synth()).not.toThrow();
  });
});
