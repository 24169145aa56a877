import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { entry, newTracker, templateOf } from './tracker.ts';

const fn = 'AWS::Lambda::Function';

/** Returns the properties of the function whose description matches. */
function functionOf(template: Template, description: RegExp) {
  const [found] = Object.values(template.findResources(fn)).filter(({ Properties }) =>
    description.test(Properties.Description),
  );
  return found?.['Properties'];
}

const variablesOf = (template: Template, description: RegExp) =>
  functionOf(template, description).Environment.Variables as Record<string, unknown>;

const dispatcher = /dispatches events/;
const api = /HTTP API/;
const clock = /fires due timers/;
const orders = /the model orders/;

it('a tracker reserves the configured number of concurrent executions', () => {
  const { stack, tracker } = newTracker({
    dispatcherReservedConcurrency: 40,
    apiReservedConcurrency: 20,
    clockReservedConcurrency: 1,
  });
  tracker.addModel('orders', { entry, reservedConcurrency: 30 });
  tracker.addModel('parcels', { entry });
  const template = Template.fromStack(stack);
  const reserved = [dispatcher, api, clock, orders, /registry/, /parcels/].map(
    (each) => functionOf(template, each).ReservedConcurrentExecutions,
  );
  expect(reserved).toEqual([40, 20, 1, 30, undefined, undefined]);
});

describe('the HTTP API of a tracker', () => {
  const pages = /status pages/;
  const reservedBy = (template: Template, each: RegExp) =>
    functionOf(template, each).ReservedConcurrentExecutions;
  const stageOf = (template: Template) =>
    Object.values(template.findResources('AWS::ApiGatewayV2::Stage'))[0]!;

  it('reserves 100 concurrent executions for the API and 10 for customer pages by default', () => {
    const template = templateOf({ customerPages: true });
    expect([reservedBy(template, api), reservedBy(template, pages)]).toEqual([100, 10]);
  });

  it("reserves no concurrent executions if the options are 'none', as accounts with a low limit require", () => {
    const template = templateOf({
      customerPages: true,
      apiReservedConcurrency: 'none',
      customerPagesReservedConcurrency: 'none',
    });
    template.allResourcesProperties(fn, { ReservedConcurrentExecutions: Match.absent() });
  });

  it('limits requests per second, with a lower limit for the public routes', () => {
    const { Properties, DependsOn } = stageOf(templateOf({ customerPages: true }));
    expect(Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 500,
      ThrottlingBurstLimit: 1_000,
    });
    expect(Properties.RouteSettings).toEqual({
      'GET /track/{token}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      'HEAD /track/{token}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });
    // CloudFormation must create the routes before the stage that refers to them.
    for (const route of ['GETtracktoken', 'HEADtracktoken'])
      expect(DependsOn).toContainEqual(expect.stringContaining(route));
  });

  it('keeps the default of a limit that is not set', () => {
    const { Properties } = stageOf(
      templateOf({
        customerPages: true,
        apiThrottle: { rateLimit: 7 },
        customerPagesThrottle: { burstLimit: 2 },
      }),
    );
    expect(Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 7,
      ThrottlingBurstLimit: 1_000,
    });
    expect(Properties.RouteSettings).toEqual({
      'GET /track/{token}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 2 },
      'HEAD /track/{token}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 2 },
    });
  });

  it('accepts custom limits on requests per second', () => {
    const { Properties } = stageOf(
      templateOf({
        customerPages: true,
        apiThrottle: { rateLimit: 7, burstLimit: 8 },
        customerPagesThrottle: { rateLimit: 1, burstLimit: 2 },
      }),
    );
    expect(Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 7,
      ThrottlingBurstLimit: 8,
    });
    expect(Properties.RouteSettings).toEqual({
      'GET /track/{token}': { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
      'HEAD /track/{token}': { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
    });
  });
});

it('a tracker tags its resources with the name of the stream and with the configured tags', () => {
  const template = templateOf({ streamName: 'mine', tags: { team: 'delivery' } }, 'orders');
  for (const type of [
    fn,
    'AWS::DynamoDB::Table',
    'AWS::Kinesis::Stream',
    'AWS::S3::Bucket',
    'AWS::Logs::LogGroup',
    'AWS::IAM::Role',
    'AWS::CloudWatch::Alarm',
    'AWS::Events::EventBus',
  ])
    template.allResourcesProperties(type, {
      Tags: Match.arrayWith([
        { Key: 'milepost', Value: 'mine' },
        { Key: 'team', Value: 'delivery' },
      ]),
    });
});

describe('the metrics of a tracker', () => {
  it('of the dispatcher and of each model have the name of the stream in their namespace', () => {
    const template = templateOf({ streamName: 'mine' }, 'orders');
    for (const each of [dispatcher, orders])
      expect(variablesOf(template, each)).toMatchObject({ MILEPOST_METRICS: 'Milepost/mine' });
    expect(variablesOf(template, dispatcher)).not.toHaveProperty('MILEPOST_MODEL_METRICS');
  });

  it('include no metrics per model if modelMetrics is turned off', () => {
    const template = templateOf({ modelMetrics: false }, 'orders');
    expect(variablesOf(template, dispatcher)).toMatchObject({
      MILEPOST_METRICS: 'Milepost/milepost-events',
      MILEPOST_MODEL_METRICS: 'off',
    });
    expect(variablesOf(template, orders)).not.toHaveProperty('MILEPOST_METRICS');
  });
});

describe('the tracing of a tracker', () => {
  const active = { TracingConfig: { Mode: 'Active' } };

  it('is off by default, without permissions or variables for X-Ray', () => {
    const template = templateOf({}, 'orders');
    template.allResourcesProperties(fn, { TracingConfig: Match.absent() });
    expect(JSON.stringify(template.toJSON())).not.toMatch(/xray|MILEPOST_TRACING/);
  });

  it('covers the dispatcher, the API, and the models if it is turned on', () => {
    const template = templateOf({ tracing: true }, 'orders');
    for (const each of [dispatcher, api, orders]) {
      expect(functionOf(template, each)).toMatchObject(active);
      expect(variablesOf(template, each)).toMatchObject({ MILEPOST_TRACING: 'on' });
    }
    for (const each of [clock, /registry/])
      expect(functionOf(template, each)).not.toHaveProperty('TracingConfig');
  });
});

describe('the logs of a tracker', () => {
  const ofEvents = 'MILEPOST_EVENT_DATA_IN_LOGS';

  it('contain no event data unless eventDataInLogs is turned on', () => {
    expect(variablesOf(templateOf({}), dispatcher)).not.toHaveProperty(ofEvents);
    const asked = templateOf({ eventDataInLogs: true });
    expect(variablesOf(asked, dispatcher)).toMatchObject({ [ofEvents]: 'on' });
    expect(variablesOf(templateOf({}, 'orders'), /orders/)).not.toHaveProperty(ofEvents);
    const ofModel = templateOf({ eventDataInLogs: true }, 'orders');
    expect(variablesOf(ofModel, /orders/)).toMatchObject({ [ofEvents]: 'on' });
  });

  const format = (template: Template): string => {
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    return stage?.['Properties'].AccessLogSettings.Format;
  };

  it('include the path of each API request', () => {
    expect(format(templateOf({}))).toContain('$context.path');
  });

  it('with customerPages omit the path of each API request, because a path can be a secret link', () => {
    const log = format(templateOf({ customerPages: true }));
    expect(log).toContain('$context.routeKey');
    expect(log).not.toContain('$context.path');
  });
});
