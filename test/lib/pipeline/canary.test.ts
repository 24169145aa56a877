import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { entry, newTracker, templateOf } from '../tracker.ts';

const schedules = (template: Template) =>
  Object.values(template.findResources('AWS::Events::Rule')).map(
    ({ Properties }) => `${Properties.Description}: ${Properties.ScheduleExpression}`,
  );

describe('the canary of a tracker', () => {
  it('is a function that runs every minute and has a registered model', () => {
    const template = templateOf({ canary: true });
    expect(schedules(template)).toContain('Milepost: the canary: rate(1 minute)');
    template.hasResourceProperties('Custom::MilepostModel', { ModelId: 'milepost-canary' });
  });

  it('adds its latency to the dashboard', () => {
    const latency = (canary: boolean) =>
      JSON.stringify(templateOf({ canary }).findResources('AWS::CloudWatch::Dashboard')).includes(
        'CanaryLatency',
      );
    expect([latency(true), latency(false)]).toEqual([true, false]);
  });

  it.each([true, false])('reserves the id of its model if `canary` is %s', (canary) => {
    const { tracker } = newTracker({ canary });
    expect(() => tracker.addModel('milepost-canary', { entry })).toThrow(
      'model id "milepost-canary" is reserved for the model of the canary, which the option `canary` adds; choose another id',
    );
  });

  it('is off by default', () => {
    const { stack } = newTracker();
    expect(schedules(Template.fromStack(stack))).toEqual(['Milepost: the clock: rate(1 minute)']);
  });
});
