import { Duration } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder, newTracker, templateOf } from './tracker.ts';

const fn = 'AWS::Lambda::Function';
const eventSource = 'AWS::Lambda::EventSourceMapping';

describe('the functions of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({});
  });

  it('run on the Node.js that is tested, on ARM, and log JSON to a group of their own', () => {
    template.resourceCountIs(fn, 4);
    template.allResourcesProperties(fn, {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('Logs') } },
    });
  });

  it.each([
    [
      'dispatcher',
      /hands the events/,
      [
        'INSTANCES_TABLE',
        'MODEL_ATTEMPTS',
        'MODEL_BACKOFF_MS',
        'REGISTRY_TABLE',
        'DEAD_LETTERS_TABLE',
        'STREAM',
        'METRICS',
      ],
    ],
    ['API', /HTTP API/, ['INSTANCES_TABLE', 'REGISTRY_TABLE', 'DEAD_LETTERS_TABLE', 'STREAM']],
    ['clock', /fires the timers/, ['INSTANCES_TABLE', 'STREAM']],
    ['registrar', /keeps the registry/, ['REGISTRY_TABLE']],
  ])('tell the %s of what it needs, and of nothing else', (_, description, names) => {
    const found = Object.values(template.findResources(fn)).filter(({ Properties }) =>
      description.test(Properties.Description),
    );
    expect(found).toHaveLength(1);
    expect(Object.keys(found[0]?.['Properties'].Environment.Variables)).toEqual(
      names.map((name) => `MILEPOST_${name}`),
    );
  });

  it('feed the dispatcher so that nothing is lost and nothing blocks', () => {
    template.hasResourceProperties(eventSource, {
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 1000,
      MetricsConfig: { Metrics: ['EventCount'] },
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('Stream'), 'Arn'] },
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('Failures'), 'Arn'] } },
      },
    });
  });

  it('run the clock every minute, for no longer than that, and not again when it failed', () => {
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
  ])('give a record up before a stream that keeps it for %s deletes it', (retention, hours) => {
    templateOf({ streamRetention: retention }).hasResourceProperties(eventSource, {
      MaximumRecordAgeInSeconds: hours * 3600,
    });
  });

  it('answer every route, with AWS credentials only', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Route', 1);
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: '$default',
      AuthorizationType: 'AWS_IAM',
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      AccessLogSettings: { DestinationArn: Match.anyValue() },
    });
  });

  it('answer whom you say', () => {
    templateOf({ apiAuthorizer: new HttpNoneAuthorizer() }).hasResourceProperties(
      'AWS::ApiGatewayV2::Route',
      { AuthorizationType: 'NONE' },
    );
  });

  it('are open to the world for the pages of customers, and only where these are wanted', () => {
    const open = templateOf({ customerPages: true });
    const routes = Object.values(open.findResources('AWS::ApiGatewayV2::Route'));
    const types = routes.map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationType,
    ]);
    expect(Object.fromEntries(types)).toEqual({
      $default: 'AWS_IAM',
      'GET /track/{token}': 'NONE',
    });
    open.resourceCountIs('AWS::SecretsManager::Secret', 1);
    open.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { MILEPOST_LINK_SECRET: Match.anyValue() } },
    });
    template.resourceCountIs('AWS::SecretsManager::Secret', 0);
  });

  it('answer who has a token with a role, where its issuer is named', () => {
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf';
    const tokens = templateOf({ apiTokens: { issuer, audience: ['client'] } });
    tokens.hasResourceProperties('AWS::ApiGatewayV2::Route', { AuthorizationType: 'JWT' });
    tokens.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      JwtConfiguration: { Issuer: issuer, Audience: ['client'] },
    });
    tokens.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { MILEPOST_ROLES_CLAIM: 'cognito:groups' } },
    });
    const both = { apiTokens: { issuer, audience: [] }, apiAuthorizer: new HttpNoneAuthorizer() };
    expect(() => newTracker(both)).toThrow('only one of them');
  });

  it('answer what browsers ask beforehand, for the origins that are named', () => {
    const named = templateOf({
      apiCorsOrigins: ['https://a.example.org', 'https://b.example.org'],
    });
    named.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: 'OPTIONS /{proxy+}',
      AuthorizationType: 'NONE',
    });
    named.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: { MILEPOST_CORS_ORIGINS: 'https://a.example.org,https://b.example.org' },
      },
    });
  });

  it('cannot be deployed before they are built', () => {
    expect(() => newTracker({ bundles: newFolder('empty') })).toThrow(/dispatcher.*npm run build/);
  });
});
