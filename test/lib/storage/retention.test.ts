import { Duration } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { templateOf } from '../tracker.ts';

interface LifecycleRule {
  readonly ExpirationInDays?: number;
  readonly NoncurrentVersionExpiration?: { readonly NoncurrentDays: number };
}

/** Returns the lifecycle rules of the bucket whose logical id contains the given name. */
function lifecycleOf(template: Template, name: string): readonly LifecycleRule[] {
  const found = Object.entries(template.findResources('AWS::S3::Bucket')).filter(([id]) =>
    id.includes(name),
  );
  expect(found).toHaveLength(1);
  return found[0]![1].Properties.LifecycleConfiguration.Rules as LifecycleRule[];
}

/**
 * Returns how many days a versioned bucket keeps an object, first as the current version and then as a noncurrent
 * version.
 */
function daysKept(rules: readonly LifecycleRule[]): number {
  const [rule] = rules.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined);
  return rule!.ExpirationInDays! + rule!.NoncurrentVersionExpiration!.NoncurrentDays;
}

describe('the failure bucket', () => {
  it('keeps a record for 30 days, including the time after its expiration', () => {
    expect(daysKept(lifecycleOf(templateOf({}), 'Failures'))).toBe(30);
  });

  it.each([2, 7, 365])('keeps a record for the configured %i days', (days) => {
    const template = templateOf({ failureRetention: Duration.days(days) });
    expect(daysKept(lifecycleOf(template, 'Failures'))).toBe(days);
  });

  it('keeps a deleted record for one more day', () => {
    const [rule] = lifecycleOf(templateOf({}), 'Failures').flatMap(
      ({ NoncurrentVersionExpiration }) => NoncurrentVersionExpiration ?? [],
    );
    expect(rule).toEqual({ NoncurrentDays: 1 });
  });

  it.each([
    ['1 day', Duration.days(1)],
    ['2.5 days', Duration.hours(60)],
    ['366 days, which exceeds the time for which signing keys are kept', Duration.days(366)],
  ])('rejects a retention of %s', (_, failureRetention) => {
    expect(() => templateOf({ failureRetention })).toThrow(
      '`failureRetention` must be a whole number of days, from 2 to 365',
    );
  });
});

describe('point-in-time recovery', () => {
  const daysOf = (personalData: boolean) => {
    const tables = templateOf({ personalData }).findResources('AWS::DynamoDB::Table');
    const found = Object.entries(tables).map(([id, { Properties }]) => {
      const recovery = Properties.PointInTimeRecoverySpecification;
      const days = recovery?.PointInTimeRecoveryEnabled ? (recovery.RecoveryPeriodInDays ?? 35) : 0;
      return [id.replace(/^Tracker(Tables|PersonalData)?|[0-9A-F]{8}$/g, ''), days];
    });
    return Object.fromEntries(found) as Record<string, number>;
  };

  it('reaches back 35 days and is turned off for counters', () => {
    const expected = { Instances: 35, Registry: 35, DeadLetters: 35, Counters: 0 };
    expect(daysOf(false)).toEqual(expected);
  });

  it('reaches back only one day for dead letters and is turned off for data keys if personalData is turned on', () => {
    const expected = { Instances: 35, Registry: 35, DeadLetters: 1, Keys: 0, Counters: 0 };
    expect(daysOf(true)).toEqual(expected);
  });
});
