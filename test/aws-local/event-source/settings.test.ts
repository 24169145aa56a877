import { describe, expect, it } from 'vitest';
import {
  type EventSourceProperties,
  EventSourceSettingsError,
  eventSourceSettings,
} from '../../../src/aws-local/event-source/settings.ts';
import { Harness } from './harness.ts';

const now = Date.UTC(2026, 0, 1);
const minimal: EventSourceProperties = { StartingPosition: 'TRIM_HORIZON' };

function settings(properties: Partial<EventSourceProperties>) {
  return eventSourceSettings({ ...minimal, ...properties }, now);
}

describe('the settings of an event source mapping', () => {
  it('have the defaults of AWS', () => {
    expect(eventSourceSettings(minimal, now)).toEqual({
      batchSize: 100,
      windowMs: 0,
      parallelizationFactor: 1,
      bisects: false,
      maxRetries: Infinity,
      maxAgeMs: Infinity,
      startingPosition: { at: 'TRIM_HORIZON' },
      reportsItemFailures: false,
      tumblingWindowMs: 0,
      hasDestination: false,
    });
  });

  it('are read from the properties in a template, whose unrelated properties are ignored', () => {
    const template = {
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 2,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 3,
      MaximumRecordAgeInSeconds: 3600,
      StartingPosition: 'AT_TIMESTAMP',
      StartingPositionTimestamp: now / 1000,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Bucket', 'Arn'] } } },
      Enabled: false,
      EventSourceArn: { 'Fn::GetAtt': ['Stream', 'Arn'] },
      FunctionName: { Ref: 'Dispatcher' },
      Tags: [],
    } satisfies EventSourceProperties & Record<string, unknown>;
    expect(eventSourceSettings(template, now)).toEqual({
      batchSize: 500,
      windowMs: 2000,
      parallelizationFactor: 10,
      bisects: true,
      maxRetries: 3,
      maxAgeMs: 3_600_000,
      startingPosition: { at: 'AT_TIMESTAMP', timestamp: now },
      reportsItemFailures: true,
      tumblingWindowMs: 0,
      hasDestination: true,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['BatchSize', { BatchSize: 0 }],
    ['BatchSize', { BatchSize: 10_001 }],
    ['BatchSize', { BatchSize: 1.5 }],
    ['BatchSize', { BatchSize: '100' }],
    ['MaximumBatchingWindowInSeconds', { MaximumBatchingWindowInSeconds: -1 }],
    ['MaximumBatchingWindowInSeconds', { MaximumBatchingWindowInSeconds: 301 }],
    ['ParallelizationFactor', { ParallelizationFactor: 0 }],
    ['ParallelizationFactor', { ParallelizationFactor: 11 }],
    ['MaximumRetryAttempts', { MaximumRetryAttempts: -2 }],
    ['MaximumRetryAttempts', { MaximumRetryAttempts: 10_001 }],
    ['MaximumRecordAgeInSeconds', { MaximumRecordAgeInSeconds: 59 }],
    ['MaximumRecordAgeInSeconds', { MaximumRecordAgeInSeconds: 0 }],
    ['MaximumRecordAgeInSeconds', { MaximumRecordAgeInSeconds: 604_801 }],
    ['StartingPosition', { StartingPosition: 'EARLIEST' }],
    ['StartingPosition', { StartingPosition: undefined }],
    ['StartingPositionTimestamp', { StartingPositionTimestamp: 1 }],
    ['StartingPositionTimestamp', { StartingPosition: 'AT_TIMESTAMP' }],
    [
      'StartingPositionTimestamp',
      { StartingPosition: 'AT_TIMESTAMP', StartingPositionTimestamp: now / 1000 + 1 },
    ],
    ['FunctionResponseTypes.0', { FunctionResponseTypes: ['ReportBatchItemFailure'] }],
    ['FilterCriteria', { FilterCriteria: { Filters: [{ Pattern: '{"a":[1]}' }] } }],
    ['TumblingWindowInSeconds', { TumblingWindowInSeconds: 901 }],
  ])('cannot contain an invalid %s: %j', (property, properties) => {
    const bad = () => settings(properties);
    expect(bad).toThrow(EventSourceSettingsError);
    expect(bad).toThrow(`${property}: `);
  });

  it.each([
    [{ BatchSize: 0 }, 'BatchSize: must be at least 1; got 0'],
    [{ BatchSize: 10_001 }, 'BatchSize: must be at most 10000; got 10001'],
    [
      { MaximumRecordAgeInSeconds: 59 },
      'MaximumRecordAgeInSeconds: must be -1 or at least 60; got 59',
    ],
    [
      { StartingPosition: 'AT_TIMESTAMP', StartingPositionTimestamp: now / 1000 + 1 },
      `StartingPositionTimestamp: must not be in the future; got ${now / 1000 + 1}`,
    ],
  ] as const)('are rejected with the rule and the value: %j', (properties, message) => {
    expect(() => settings(properties)).toThrow(message);
  });

  it.each([
    [{ BatchSize: 1, ParallelizationFactor: 10, MaximumBatchingWindowInSeconds: 300 }],
    [{ BatchSize: 10_000, MaximumRetryAttempts: 0, MaximumRecordAgeInSeconds: 60 }],
    [{ MaximumRetryAttempts: 10_000, MaximumRecordAgeInSeconds: 604_800 }],
    [{ TumblingWindowInSeconds: 0 }],
    [{ TumblingWindowInSeconds: 900 }],
  ])('can have the minimum and maximum values: %j', (properties) => {
    expect(() => settings(properties)).not.toThrow();
  });

  it('cannot refer to a destination that the caller does not provide', () => {
    const harness = new Harness({ destination: undefined });
    expect(() => harness.source()).toThrow(EventSourceSettingsError);
  });
});
