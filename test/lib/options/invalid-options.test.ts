import {
  DefaultStackSynthesizer,
  Duration,
  PermissionsBoundary,
  RemovalPolicy,
  type Stack,
  type StackProps,
  Token,
} from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { describe, expect, it } from 'vitest';
import { type ModelProps, Notifications, type ProcessTrackerProps } from '../../../lib/index.ts';
import { entry, newTracker, templateOf } from '../tracker.ts';

const arn = 'arn:aws:sns:eu-west-1:222222222222:alarms';
const apiTokens = { issuer: 'https://login.example.org', audience: ['pages'] };

const pages = { clientId: 'pages' };
const capacity = { readCapacity: { maxCapacity: 5 }, writeCapacity: { maxCapacity: 5 } };

/** The options as a program in JavaScript can pass them, with any types. */
const fromJavaScript = (props: object): ProcessTrackerProps => props;

describe('a tracker rejects the option', () => {
  it.each<[string, ProcessTrackerProps, string]>([
    [
      'streamName',
      { streamName: '' },
      '1 to 128 characters from a-z, A-Z, 0-9, _, ., and -; got ""',
    ],
    ['streamName', { streamName: 'my events' }, 'got "my events"'],
    [
      'streamRetention',
      { streamRetention: Duration.hours(6) },
      'a whole number of hours, from 24 to 8760; got 6',
    ],
    ['streamRetention', { streamRetention: Duration.days(366) }, 'got 8784'],
    ['streamRetention', { streamRetention: Duration.minutes(1_530) }, 'got 25.5'],
    [
      'retention',
      { notifications: Notifications.toStream({ retention: Duration.hours(1) }) },
      'a whole number of hours, from 24 to 8760; got 1',
    ],
    ['batchSize', { batchSize: 1.5 }, 'an integer from 1 to 10000; got 1.5'],
    ['retryAttempts', { retryAttempts: Number.NaN }, 'an integer from -1 to 10000; got NaN'],
    ['dispatcherMemorySize', { dispatcherMemorySize: 64 }, 'an integer from 128 to 10240; got 64'],
    ['apiMemorySize', { apiMemorySize: 10_241 }, 'an integer from 128 to 10240; got 10241'],
    [
      'dispatcherReservedConcurrency',
      { dispatcherReservedConcurrency: 0 },
      'an integer of at least 1; got 0',
    ],
    ['clockReservedConcurrency', { clockReservedConcurrency: -1 }, 'got -1'],
    ['apiReservedConcurrency', { apiReservedConcurrency: 0 }, 'an integer of at least 1; got 0'],
    ['apiReservedConcurrency', { apiReservedConcurrency: 0 }, "unless it is 'none'"],
    ['customerPagesReservedConcurrency', { customerPagesReservedConcurrency: 2.5 }, 'got 2.5'],
    [
      'apiThrottle.rateLimit',
      { apiThrottle: { rateLimit: -1, burstLimit: 5 } },
      'a number greater than 0; got -1',
    ],
    [
      'customerPagesThrottle.burstLimit',
      { customerPagesThrottle: { rateLimit: 0.5, burstLimit: 0 } },
      'an integer of at least 1; got 0',
    ],
    ['iteratorAgeAlarm', { iteratorAgeAlarm: Duration.seconds(0) }, 'at least 1; got 0'],
    [
      'iteratorAgeAlarm',
      { iteratorAgeAlarm: Duration.hours(12), streamRetention: Duration.days(1) },
      'less than 43200 seconds, because with this `streamRetention`, records of that age are moved to the failure bucket; got 43200 seconds',
    ],
    [
      'iteratorAgeAlarm',
      { iteratorAgeAlarm: Duration.hours(23) },
      'less than 79200 seconds, because with this `retention` in `notifications`',
    ],
    ['removalPolicy', { removalPolicy: RemovalPolicy.SNAPSHOT }, 'use RemovalPolicy.RETAIN'],
    [
      'apiTokens.issuer',
      { apiTokens: { ...apiTokens, issuer: 'login.example.org' } },
      'a URL that starts with https://; got "login.example.org"',
    ],
    ['apiTokens.audience', { apiTokens: { ...apiTokens, audience: [] } }, 'got []'],
    [
      'apiCorsOrigins',
      { apiCorsOrigins: ['https://status.example.org/'] },
      'without a path; got "https://status.example.org/"',
    ],
    ['apiCorsOrigins', { apiCorsOrigins: ['*'] }, 'got "*"'],
    ['operatorPages.clientId', { apiTokens, operatorPages: { clientId: '' } }, 'got ""'],
    [
      'operatorPages.tokenOrigin',
      { apiTokens, operatorPages: { clientId: 'pages', tokenOrigin: 'login.example.org' } },
      'a URL that starts with https://',
    ],
    [
      'operatorPages.domain',
      { apiTokens, operatorPages: { clientId: 'pages', domain: 'https://status.example.org' } },
      'a domain name such as status.example.org',
    ],
    ['tags', { tags: { 'aws:team': 'a' } }, 'names that start with "aws:"; got "aws:team"'],
    ['tags', { tags: { milepost: 'mine' } }, 'which Milepost sets to the name of the stream'],
    ['tags', { tags: { team: 'a#b' } }, 'got "a#b" for "team"'],
    ['tags', { tags: { '': 'a' } }, 'names of 1 to 128 letters'],
    [
      'tags',
      { tags: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, ''])) },
      'at most 49 entries',
    ],
  ])('%s with an error that contains $2', (name, props, message) => {
    const create = () => newTracker(props);
    expect(create).toThrow(`\`${name}\``);
    expect(create).toThrow(message);
  });

  it.each([
    ['streamRetention', { streamRetention: 7 }, 'a Duration, such as Duration.hours(2); got 7'],
    ['failureRetention', { failureRetention: 30 }, 'a Duration, such as Duration.days(2); got 30'],
    ['signingKeyRotation', { signingKeyRotation: 'never' }, "unless it is 'none'"],
    ['modelBackoff', { modelBackoff: 200 }, 'a Duration, such as Duration.millis(2); got 200'],
    ['logRetention', { logRetention: 42 }, 'a value of RetentionDays'],
    ['streamName', { streamName: 7 }, 'must have 1 to 128 characters'],
    ['batchSize', { batchSize: '500' }, 'an integer from 1 to 10000; got "500"'],
    ['apiReservedConcurrency', { apiReservedConcurrency: 'None' }, 'got "None"'],
    ['removalPolicy', { removalPolicy: null }, 'such as RemovalPolicy.RETAIN; got null'],
    ['removalPolicy', { removalPolicy: 'DESTROY' }, 'got "DESTROY"'],
    [
      'apiThrottle',
      { apiThrottle: '5' },
      'an object, such as { rateLimit: 500, burstLimit: 1000 }; got "5"',
    ],
    ['apiThrottle', { apiThrottle: [500, 1_000] }, 'got [ 500, 1000 ]'],
    ['apiThrottle', { apiThrottle: { rate: 5 } }, 'contain only rateLimit, burstLimit; got rate'],
    ['apiThrottle', { apiThrottle: { burst: 5 } }, 'got burst'],
    [
      'apiThrottle.rateLimit',
      { apiThrottle: { rateLimit: '5' } },
      'a number greater than 0; got "5"',
    ],
    ['apiThrottle.rateLimit', { apiThrottle: { rateLimit: Infinity } }, 'got Infinity'],
    ['customerPagesThrottle', { customerPagesThrottle: null }, 'got null'],
    [
      'instancesCapacity',
      { instancesCapacity: false },
      'an object, such as { readCapacity: { minCapacity: 5, maxCapacity: 100 }, … }; got false',
    ],
    [
      'instancesCapacity.readCapacity',
      { instancesCapacity: { readCapacity: 100, writeCapacity: { maxCapacity: 5 } } },
      'an object, such as { minCapacity: 5, maxCapacity: 100 }; got 100',
    ],
    ['instancesCapacity.indexes', { instancesCapacity: { ...capacity, indexes: 5 } }, 'got 5'],
    [
      'instancesCapacity',
      { instancesCapacity: { ...capacity, index: {} } },
      'contain only readCapacity, writeCapacity, indexes; got index; did you mean `indexes`?',
    ],
    [
      'instancesCapacity.readCapacity',
      { instancesCapacity: { ...capacity, readCapacity: { max: 5, maxCapacity: 5 } } },
      'contain only minCapacity, maxCapacity, seedCapacity, targetUtilizationPercent; got max',
    ],
    [
      'instancesCapacity.readCapacity.seedCapacity',
      { instancesCapacity: { ...capacity, readCapacity: { maxCapacity: 5, seedCapacity: null } } },
      'an integer from 1 to 5; got null',
    ],
    ['parallelizationFactor', { parallelizationFactor: null }, 'an integer from 1 to 10; got null'],
    ['failureRetention', { failureRetention: null }, 'a Duration, such as'],
    ['signingKeyRotation', { signingKeyRotation: null }, 'a Duration, such as'],
    [
      "instancesCapacity.indexes['by-due']",
      { instancesCapacity: { ...capacity, indexes: { 'by-due': { minCapacity: 5 } } } },
      'contain only readCapacity, writeCapacity; got minCapacity',
    ],
    ['apiTokens', { apiTokens: '' }, 'an object, such as { issuer:'],
    ['apiTokens', { apiTokens: { ...apiTokens, role: {} } }, 'got role; did you mean `roles`?'],
    ['apiTokens.audience', { apiTokens: { ...apiTokens, audience: [7] } }, 'got [ 7 ]'],
    ['apiTokens.rolesClaim', { apiTokens: { ...apiTokens, rolesClaim: 7 } }, 'got 7'],
    ['apiTokens.roles', { apiTokens: { ...apiTokens, roles: ['admins'] } }, "got [ 'admins' ]"],
    [
      'apiTokens.roles',
      { apiTokens: { ...apiTokens, roles: { operators: ['admins'] } } },
      'contain only viewer, operator; got operators; did you mean `operator`?',
    ],
    [
      'apiTokens.roles.operator',
      { apiTokens: { ...apiTokens, roles: { operator: 'admins' } } },
      'a list of one or more names, none of them empty; got "admins"',
    ],
    ['operatorPages', { apiTokens, operatorPages: true }, "such as { clientId: 'status-pages' }"],
    ['operatorPages.clientId', { apiTokens, operatorPages: { clientId: 7 } }, 'got 7'],
    [
      'operatorPages',
      { apiTokens, operatorPages: { ...pages, scopes: 'openid email' } },
      'got scopes; did you mean `scope`?',
    ],
    [
      'operatorPages.scope',
      { apiTokens, operatorPages: { clientId: 'pages', scope: ['openid', 'email'] } },
      "separated by spaces, such as 'openid email'; got [ 'openid', 'email' ]",
    ],
    [
      'operatorPages.loginParameters',
      { apiTokens, operatorPages: { clientId: 'pages', loginParameters: 'audience=a' } },
      'an object, such as',
    ],
    [
      'operatorPages.loginParameters',
      { apiTokens, operatorPages: { clientId: 'pages', loginParameters: { max_age: 60 } } },
      'strings as values; got 60 for "max_age"',
    ],
    [
      'operatorPages.loginParameters',
      { apiTokens, operatorPages: { ...pages, loginParameters: { audience: undefined } } },
      'strings as values; got undefined for "audience"',
    ],
    [
      'operatorPages.certificate',
      { apiTokens, operatorPages: { ...pages, domain: 'a.example.org', certificate: arn } },
      `such as Certificate.fromCertificateArn(…); got "${arn}"`,
    ],
    [
      'operatorPages.accessLogBucket',
      { apiTokens, operatorPages: { ...pages, accessLogBucket: 'logs' } },
      'such as Bucket.fromBucketName(…); got "logs"',
    ],
    ['operatorPages.webAclArn', { apiTokens, operatorPages: { ...pages, webAclArn: '' } }, 'arn:'],
    ['apiCorsOrigins', { apiCorsOrigins: 'https://a.example' }, 'got "https://a.example"'],
    ['tags', { tags: 'text' }, `an object, such as { team: 'delivery' }; got "text"`],
    ['tags', { tags: ['text'] }, "got [ 'text' ]"],
    ['tags', { tags: { team: 7 } }, 'strings as values; got 7 for "team"'],
    ['tags', { tags: { team: undefined } }, 'strings as values; got undefined for "team"'],
    [
      'tags',
      { tags: { team: Token.asAny({ Ref: 'Team' }) } },
      'strings as values; got a token of another type for "team"; pass Token.asString(token)',
    ],
    ['alarmTopic', { alarmTopic: arn }, `such as Topic.fromTopicArn(…); got "${arn}"`],
    ['encryptionKey', { encryptionKey: arn }, `such as Key.fromKeyArn(…); got "${arn}"`],
    ['apiAuthorizer', { apiAuthorizer: 'iam' }, 'such as new HttpIamAuthorizer(); got "iam"'],
    [
      'notifications',
      { notifications: Notifications.toBus(arn as unknown as IEventBus) },
      `such as EventBus.fromEventBusArn(…); got "${arn}"`,
    ],
    [
      'notifications',
      { notifications: Notifications.toBus(undefined as unknown as IEventBus) },
      'such as EventBus.fromEventBusArn(…); got undefined',
    ],
    ['notifications', { notifications: () => Notifications.none() }, 'got the function'],
    ['notifications', { notifications: 'none' }, 'such as Notifications.none(); got "none"'],
    ['lowLatency', { lowLatency: 'false' }, 'must be true or false, or omitted; got "false"'],
    ['customerPages', { customerPages: 'false' }, 'got "false"'],
    ['modelMetrics', { modelMetrics: '' }, 'got ""'],
    ['dashboard', { dashboard: 0 }, 'got 0'],
    ['tracing', { tracing: null }, 'got null'],
    ['eventDataInLogs', { eventDataInLogs: [true] }, 'got [ true ]'],
    ['canary', { canary: { minutes: 5 } }, 'got { minutes: 5 }'],
    ['archive', { archive: Token.asAny({ Ref: 'Archive' }) }, 'got a token, which has no value'],
    ['personalData', { personalData: () => true }, 'got the function personalData'],
  ])('%s of the wrong type with an error that contains $2', (name, props, message) => {
    const create = () => newTracker(fromJavaScript(props));
    expect(create).toThrow(`\`${name}\``);
    expect(create).toThrow(message);
  });
});

it('a tracker accepts options whose values are known only during the deployment', () => {
  const template = templateOf((stack) => {
    const value = (name: string) => StringParameter.valueForStringParameter(stack, name);
    return {
      streamName: value('/stream'),
      apiTokens: { issuer: value('/issuer'), audience: [value('/client')] },
      apiCorsOrigins: [value('/origin')],
      tags: { team: value('/team') },
      apiMemorySize: Token.asNumber(value('/memory')),
    };
  }, 'orders');
  template.resourceCountIs('AWS::Kinesis::Stream', 2);
});

it('a tracker accepts settings that are undefined', () => {
  const notifications = Notifications.toStream({ shards: 2, ...{ filter: undefined } });
  expect(() =>
    newTracker({ apiTokens: { ...apiTokens, roles: undefined }, notifications }),
  ).not.toThrow();
});

it('a tracker rejects values that are not known during synthesis if it must compute with them', () => {
  const modelAttempts = Token.asNumber({ Ref: 'Attempts' });
  expect(() => newTracker({ modelAttempts })).toThrow(
    '`modelAttempts` must be an integer of at least 1; got a token, which has no value during synthesis',
  );
  const shards = Token.asNumber({ Ref: 'Shards' });
  expect(() => newTracker({ notifications: Notifications.toStream({ shards }) })).toThrow(
    "`shards`, unless it is 'on-demand', must be an integer of at least 1; got a token, which has no value during synthesis",
  );
  const streamRetention = Duration.hours(Token.asNumber({ Ref: 'Hours' }));
  expect(() => newTracker({ streamRetention })).toThrow(
    '`streamRetention` must be known during synthesis; got a token',
  );
});

it('a tracker accepts an age for alarms that records on its streams can reach', () => {
  const iteratorAgeAlarm = Duration.hours(23);
  const template = templateOf({ iteratorAgeAlarm, notifications: Notifications.toStream() });
  const alarm = { MetricName: 'IteratorAge', Threshold: iteratorAgeAlarm.toMilliseconds() };
  template.hasResourceProperties('AWS::CloudWatch::Alarm', alarm);
});

describe('an option that does not exist', () => {
  const warningsOf = (stack: Stack) =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry: { data } }) => data);

  it('of a tracker adds a warning if it resembles an option', () => {
    const { stack } = newTracker(fromJavaScript({ lowLatancy: true, Archive: true }));
    expect(warningsOf(stack)).toEqual([
      expect.stringContaining(
        'the tracker has no option `lowLatancy`; did you mean `lowLatency`? ' +
          'If `lowLatancy` is not meant for Milepost, acknowledge this warning',
      ),
      expect.stringContaining('did you mean `archive`?'),
    ]);
  });

  it('of a tracker is ignored if it is undefined, resembles no option, or resembles one that is set', () => {
    const stackProps: Required<StackProps> = {
      description: 'Orders',
      env: {},
      stackName: 'orders',
      tags: {},
      notificationArns: [],
      synthesizer: new DefaultStackSynthesizer(),
      terminationProtection: true,
      analyticsReporting: false,
      crossRegionReferences: true,
      permissionsBoundary: PermissionsBoundary.fromName('boundary'),
      suppressTemplateIndentation: true,
      propertyInjectors: [],
    };
    const props = { ...stackProps, lowLatancy: undefined, apiMemorySize: 256, apiMemSize: 512 };
    expect(warningsOf(newTracker(fromJavaScript(props)).stack)).toEqual([]);
  });

  it('of a model adds a warning if it resembles an option', () => {
    const { stack, tracker } = newTracker();
    tracker.addModel('orders', { entry, ...{ timeOut: Duration.seconds(5) } });
    const code = Code.fromInline('exports.handler = () => {}');
    const runtime = Runtime.NODEJS_LATEST;
    const fn = new Function(stack, 'Loan', { code, runtime, handler: 'index.handler' });
    tracker.addModelFunction('loan', { function: fn, ...{ revison: '2' } });
    expect(warningsOf(stack)).toEqual([
      expect.stringContaining('model "orders" has no option `timeOut`; did you mean `timeout`?'),
      expect.stringContaining('model "loan" has no option `revison`; did you mean `revision`?'),
    ]);
  });
});

describe('addModel rejects the setting', () => {
  it.each([
    ['memorySize', { memorySize: 64 }, 'an integer from 128 to 10240; got 64'],
    ['reservedConcurrency', { reservedConcurrency: 0 }, 'an integer of at least 1; got 0'],
    ['timeout', { timeout: Duration.millis(500) }, 'seconds, at least 1; got 0.5'],
    ['timeout', { timeout: null as unknown as Duration }, 'a Duration, such as'],
    ['environment', { environment: { 'a-b': '' } }, 'got "a-b"'],
    ['handler', { handler: (() => undefined) as unknown as string }, 'the name of an export'],
    ['sourceMaps', { sourceMaps: 'false' as unknown as boolean }, 'true or false, or omitted'],
  ])('%s with an error that contains $2', (name, props, message) => {
    const { tracker } = newTracker();
    const add = () => tracker.addModel('orders', { entry, ...props });
    expect(add).toThrow(`\`${name}\``);
    expect(add).toThrow(message);
  });

  it.each([
    [{ LIMIT: 5 }, '`environment` must have strings as values; got 5 for "LIMIT"'],
    [{ URL: undefined }, '`environment` must have strings as values; got undefined for "URL"'],
    [['A=1'], "`environment` must be an object, such as { CURRENCY: 'EUR' }; got [ 'A=1' ]"],
    [null, "`environment` must be an object, such as { CURRENCY: 'EUR' }; got null"],
  ])('environment if it is %j', (environment, message) => {
    const { tracker } = newTracker();
    const props = { entry, environment } as unknown as ModelProps;
    expect(() => tracker.addModel('orders', props)).toThrow(`model "orders": ${message}`);
  });

  it.each([
    [7, 'model id 7 must have'],
    [null, 'model id null must have'],
  ])('id if it is %j', (id, message) => {
    const { tracker } = newTracker();
    expect(() => tracker.addModel(id as unknown as string, { entry })).toThrow(message);
  });

  it('entry if it is missing', () => {
    const { tracker } = newTracker();
    expect(() => tracker.addModel('orders', {} as ModelProps)).toThrow(
      'model "orders": `entry` must be the path of the file that exports the result of `serve`, ' +
        "such as 'models/orders/lambda.ts'; got undefined",
    );
  });

  it('environment if its variables exceed the limit of Lambda', () => {
    const { tracker } = newTracker();
    const environment = { RATES: `"${'é'.repeat(2_042)}` };
    expect(() => tracker.addModel('orders', { entry, environment })).toThrow(
      'names and values in `environment` must take less than 4096 bytes as JSON, because ' +
        "Lambda's limit includes Milepost's own variables; got 4098",
    );
  });
});
