import { Duration } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiTokens } from '../../lib/index.ts';
import { apiRoutes, publicRoutes } from '../../src/routes/api-routes.ts';
import { nameOf } from './statements.ts';
import { newFolder, newTracker, templateOf } from './tracker.ts';

const fn = 'AWS::Lambda::Function';
const eventSource = 'AWS::Lambda::EventSourceMapping';

/** The authorization type of each route. */
const authorizationOf = (template: Template) =>
  Object.fromEntries(
    Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationType,
    ]),
  );

describe('the functions of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({});
  });

  it('run on ARM with the tested version of Node.js, and log in JSON to separate log groups', () => {
    template.resourceCountIs(fn, 8);
    template.allResourcesProperties(fn, {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: {
        LogFormat: 'JSON',
        LogGroup: { Ref: Match.stringLikeRegexp('Logs') },
        SystemLogLevel: 'WARN',
      },
    });
  });

  it('have only the environment variables that they need', () => {
    const functions = Object.entries(template.findResources(fn)).map(([id, { Properties }]) =>
      [nameOf({ Ref: id }), ...Object.keys(Properties.Environment?.Variables ?? {})].join('\n  '),
    );
    expect(functions.join('\n')).toMatchInlineSnapshot(`
      "DispatcherFunction
        MILEPOST_INSTANCES_TABLE
        MILEPOST_MODEL_ATTEMPTS
        MILEPOST_MODEL_BACKOFF_MS
        MILEPOST_REGISTRY_TABLE
        MILEPOST_DEAD_LETTERS_TABLE
        MILEPOST_STREAM
        MILEPOST_METRICS
        MILEPOST_SIGNING_KEYS
      PublisherFunction
        MILEPOST_BUS
        MILEPOST_DEAD_LETTERS_TABLE
        MILEPOST_METRICS
      ApiFunction
        MILEPOST_INSTANCES_TABLE
        MILEPOST_REGISTRY_TABLE
        MILEPOST_DEAD_LETTERS_TABLE
        MILEPOST_COUNTERS_TABLE
        MILEPOST_STREAM
        MILEPOST_NOTIFICATION_STREAM
        MILEPOST_SIGNING_KEYS
        MILEPOST_VERSION
        MILEPOST_CONSUMERS
        MILEPOST_ONLY_IN_AWS
      ClockFunction
        MILEPOST_INSTANCES_TABLE
        MILEPOST_STREAM
        MILEPOST_METRICS
        MILEPOST_WAKEUPS
        MILEPOST_SIGNING_KEYS
        MILEPOST_EVENT_SOURCES
        MILEPOST_EVENT_SOURCES_ONLY_IN_AWS
      WakeupsFunction
        MILEPOST_INSTANCES_TABLE
        MILEPOST_STREAM
        MILEPOST_SIGNING_KEYS
      RegistrarFunction
        MILEPOST_REGISTRY_TABLE
        MILEPOST_INSTANCES_TABLE
      CounterFunction
        MILEPOST_COUNTERS_TABLE
        MILEPOST_METRICS
      SigningKeysRotationFunction"
    `);
  });

  it('include a dispatcher whose event source bisects failed batches and moves discarded records to the failure bucket', () => {
    template.hasResourceProperties(eventSource, {
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MetricsConfig: { Metrics: ['EventCount'] },
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Stream'), 'Arn'] },
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('Failures'), 'Arn'] } },
      },
    });
  });

  it('include a dispatcher that retries records throughout an outage of several days, however quickly each attempt fails', () => {
    const [source] = Object.values(template.findResources(eventSource));
    const { MaximumRetryAttempts, MaximumRecordAgeInSeconds } = source!['Properties'] as Record<
      string,
      number
    >;
    expect(MaximumRetryAttempts).toBe(-1);
    expect(MaximumRecordAgeInSeconds).toBeGreaterThan(2 * 24 * 3600);
  });

  it('include a dispatcher that retries records as many times as retryAttempts specifies', () => {
    templateOf({ retryAttempts: 5 }).hasResourceProperties(eventSource, {
      MaximumRetryAttempts: 5,
    });
  });

  it('include a clock that runs every minute for at most a minute, without retries', () => {
    const ofClock = Match.stringLikeRegexp('ClockFunction');
    template.resourceCountIs('AWS::Events::Rule', 1);
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [ofClock, 'Arn'] } })],
    });
    template.hasResourceProperties(fn, {
      Description: Match.stringLikeRegexp('timers'),
      Timeout: 60,
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: ofClock },
      MaximumRetryAttempts: 0,
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      Principal: 'events.amazonaws.com',
      FunctionName: { 'Fn::GetAtt': [ofClock, 'Arn'] },
      SourceArn: Match.anyValue(),
    });
  });

  it.each([
    [Duration.days(1), 12],
    [Duration.days(7), 6.5 * 24],
    [Duration.days(365), 7 * 24],
  ])(
    'include a dispatcher that discards a record before a stream with a retention of %s deletes it',
    (retention, hours) => {
      templateOf({ streamRetention: retention }).hasResourceProperties(eventSource, {
        MaximumRecordAgeInSeconds: hours * 3600,
      });
    },
  );

  it('include an API that has a route for each call and requires AWS credentials on every route', () => {
    expect(authorizationOf(template)).toEqual(
      Object.fromEntries(apiRoutes.map((routeKey) => [routeKey, 'AWS_IAM'])),
    );
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      AccessLogSettings: { DestinationArn: Match.anyValue() },
    });
  });

  it('include an API with an access log group under `/aws/vendedlogs`, whose name is unique to the stack', () => {
    const stage = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    const [id] = stage[0]!['Properties'].AccessLogSettings.DestinationArn['Fn::GetAtt'];
    const stackId = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(template.findResources('AWS::Logs::LogGroup')[id]!['Properties'].LogGroupName).toEqual({
      'Fn::Join': ['', [expect.stringMatching(/^\/aws\/vendedlogs\/apis\/[\w-]+-$/), stackId]],
    });
  });

  it('include an API that uses the authorizer in apiAuthorizer', () => {
    templateOf({ apiAuthorizer: new HttpNoneAuthorizer() }).hasResourceProperties(
      'AWS::ApiGatewayV2::Route',
      { AuthorizationType: 'NONE' },
    );
  });

  it('include an API that has public routes only if customerPages is turned on', () => {
    const open = templateOf({ customerPages: true });
    expect(authorizationOf(open)).toEqual({
      ...authorizationOf(template),
      'GET /track/{token}': 'NONE',
      'HEAD /track/{token}': 'NONE',
    });
    const linkKey = { Description: Match.stringLikeRegexp('links to customer status pages') };
    const count = (of: Template, count: number) =>
      of.resourcePropertiesCountIs('AWS::SecretsManager::Secret', linkKey, count);
    count(open, 1);
    open.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          MILEPOST_LINK_SECRET: Match.anyValue(),
          MILEPOST_LINKS_TABLE: Match.anyValue(),
        },
      },
    });
    count(template, 0);
    template.resourceCountIs('AWS::DynamoDB::Table', 4);
  });

  it('include a separate function, which receives only the link key and the names of three tables, for the public routes', () => {
    const open = templateOf({ customerPages: true });
    const functions = Object.entries(open.findResources(fn));
    const [id, pages] = functions.find(([each]) => each.includes('CustomerPages'))!;
    expect(Object.keys(pages['Properties'].Environment.Variables)).toEqual(
      ['INSTANCES_TABLE', 'REGISTRY_TABLE', 'LINK_SECRET', 'LINKS_TABLE'].map(
        (name) => `MILEPOST_${name}`,
      ),
    );
    const integrations = open.findResources('AWS::ApiGatewayV2::Integration', {
      Properties: { IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] } },
    });
    const [integration] = Object.keys(integrations);
    const behind = Object.values(open.findResources('AWS::ApiGatewayV2::Route')).filter(
      ({ Properties }) => JSON.stringify(Properties.Target).includes(integration!),
    );
    expect(behind.map(({ Properties }) => Properties.RouteKey)).toEqual(publicRoutes);
    // API Gateway can invoke the function only through the public routes.
    open.hasResourceProperties('AWS::Lambda::Permission', {
      FunctionName: { 'Fn::GetAtt': [id, 'Arn'] },
      SourceArn: {
        'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('/\\*/\\*/track/\\{token\\}$')])],
      },
    });
  });

  it('include an API that accepts tokens with a role if apiTokens specifies the issuer', () => {
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf';
    const tokens = templateOf({ apiTokens: { issuer, audience: ['client'] } });
    tokens.hasResourceProperties('AWS::ApiGatewayV2::Route', { AuthorizationType: 'JWT' });
    tokens.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      JwtConfiguration: { Issuer: issuer, Audience: ['client'] },
    });
    tokens.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          MILEPOST_ROLES_CLAIM: 'cognito:groups',
          MILEPOST_ROLE_NAMES: '{"viewer":["viewer"],"operator":["operator"]}',
        },
      },
    });
  });

  it('cannot be created with both apiAuthorizer and apiTokens', () => {
    const both = {
      apiTokens: { issuer: 'https://example.org', audience: ['client'] },
      apiAuthorizer: new HttpNoneAuthorizer(),
    };
    expect(() => newTracker(both)).toThrow('set either apiAuthorizer or apiTokens, not both');
  });

  const withRoles = (more: Pick<ApiTokens, 'roles' | 'rolesClaim'>) =>
    templateOf({ apiTokens: { issuer: 'https://example.org', audience: ['client'], ...more } });

  it('include an API that uses the configured claim for roles and the configured names of roles', () => {
    const roles = { operator: ['Machine operator', 'milepost/write'] };
    withRoles({ rolesClaim: '/realm_access/roles', roles }).hasResourceProperties(
      'AWS::Lambda::Function',
      {
        Environment: {
          Variables: {
            MILEPOST_ROLES_CLAIM: '/realm_access/roles',
            MILEPOST_ROLE_NAMES: JSON.stringify({ viewer: ['viewer'], ...roles }),
          },
        },
      },
    );
  });

  it.each<[string, Pick<ApiTokens, 'roles' | 'rolesClaim'>, RegExp]>([
    ['an empty claim', { rolesClaim: '' }, /rolesClaim` must be .* got ""/],
    ['an invalid JSON Pointer', { rolesClaim: '/a~2' }, /JSON Pointer .* got "\/a~2"/],
    ['no names', { roles: { viewer: [] } }, /roles\.viewer` must be a list .* got \[\]/],
    [
      'an empty name',
      { roles: { operator: ['a', ''] } },
      /roles\.operator` must be a list of one or more names, none of them empty/,
    ],
    ['a repeated name', { roles: { operator: ['a', 'a'] } }, /got "a" twice/],
    ['a name for both roles', { roles: { viewer: ['operator'] } }, /got "operator" twice/],
  ])('cannot be created if the roles are configured with %s', (_, more, message) => {
    expect(() => withRoles(more)).toThrow(message);
  });

  it('include an API that responds to CORS preflight requests from the configured origins', () => {
    const named = templateOf({
      apiCorsOrigins: ['https://a.example.org', 'https://b.example.org'],
    });
    named.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: 'OPTIONS /api/{proxy+}',
      AuthorizationType: 'NONE',
    });
    named.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: { MILEPOST_CORS_ORIGINS: 'https://a.example.org,https://b.example.org' },
      },
    });
  });

  it('cannot be synthesized before their bundles are built', () => {
    expect(() => newTracker({ bundles: newFolder('empty') })).toThrow(/dispatcher.*npm run build/);
  });
});
