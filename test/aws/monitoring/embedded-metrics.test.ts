import { describe, expect, it } from 'vitest';
import {
  batchLines,
  canaryLatencyLine,
  conflictsLine,
  faultyEventSourcesLine,
  refusedNotificationsLine,
} from '../../../src/aws/monitoring/embedded-metrics.ts';
import type { ModelCounts } from '../../../src/dispatcher/monitoring/metrics.ts';

const at = Date.UTC(2026, 0, 1);
const namespace = 'Milepost/milepost-events';
const nothing = { applied: 0, rejected: 0, duplicate: 0, parked: 0, deadLetters: 0, ages: [] };
const counts = (more: Partial<ModelCounts>): ModelCounts => ({ ...nothing, ...more });

interface Line {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [name: string]: unknown;
}

/** Parses a log line and validates it against the specification of the embedded metric format. */
function read(text: string): Line {
  expect(text).not.toContain('\n');
  const line = JSON.parse(text) as Line;
  expect(line._aws.Timestamp).toBe(at);
  for (const { Namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
    expect(Namespace).toBe(namespace);
    for (const dimension of Dimensions.flat()) expect(line[dimension]).toEqual(expect.any(String));
    expect(Metrics.length).toBeGreaterThan(0);
    for (const { Name } of Metrics) {
      const values = [line[Name]].flat();
      expect(values.length).toBeLessThanOrEqual(100);
      for (const value of values) expect(value).toEqual(expect.any(Number));
    }
  }
  return line;
}

/** Returns the metrics of a log line. Fails if a field is neither a declared metric nor a dimension. */
function metricsIn({ _aws, model, ...rest }: Line): Record<string, unknown> {
  const [directive] = _aws.CloudWatchMetrics;
  expect(Object.keys(rest)).toEqual(directive?.Metrics.map(({ Name }) => Name));
  expect(directive?.Dimensions).toEqual(model === undefined ? [[]] : [['model']]);
  return { ...(model === undefined ? {} : { model }), ...rest };
}

const lines = (
  models: Record<string, ModelCounts>,
  {
    deadLetters = 0,
    ofModels = true,
    ofRecords = false,
  }: { deadLetters?: number; ofModels?: boolean; ofRecords?: boolean } = {},
) => {
  const batch = { models: new Map(Object.entries(models)), deadLetters, records: 7 };
  return batchLines({ namespace, ofModels, ofRecords }, at, batch).map((line) =>
    metricsIn(read(line)),
  );
};

describe('the metrics of a batch', () => {
  it('consist of one log line per model with its counts', () => {
    const first = counts({ applied: 2, rejected: 1, duplicate: 3, ages: [5, 7, 9] });
    expect(lines({ first, second: counts({ applied: 1, ages: [4] }) })).toEqual([
      { model: 'first', Applied: 2, Rejected: 1, Duplicates: 3, Age: [5, 7, 9] },
      { model: 'second', Applied: 1, Age: [4] },
    ]);
  });

  it('include a log line without a model, with the counts that alarms watch', () => {
    const parked = counts({ parked: 2 });
    const bad = counts({ parked: 1, deadLetters: 4 });
    expect(lines({ parked, bad }, { deadLetters: 6 })).toEqual([
      { model: 'parked', Parked: 2 },
      { model: 'bad', Parked: 1, DeadLetters: 4 },
      { DeadLetters: 6, Parked: 3 },
    ]);
    expect(lines({}, { deadLetters: 1 })).toEqual([{ DeadLetters: 1 }]);
  });

  it('omit the log lines of models if model metrics are off', () => {
    const model = counts({ applied: 5, parked: 1, ages: [1, 2, 3, 4, 5] });
    expect(lines({ model }, { ofModels: false })).toEqual([{ Parked: 1 }]);
    expect(lines({ model: counts({ applied: 1, ages: [1] }) }, { ofModels: false })).toEqual([]);
  });

  it('include the number of stream records if the record metric is on', () => {
    const model = counts({ applied: 1, parked: 1, ages: [1] });
    expect(lines({ model }, { ofModels: false, ofRecords: true })).toEqual([
      { Parked: 1, Records: 7 },
    ]);
  });

  it('include every age, with up to a hundred ages per log line', () => {
    const ages = Array.from({ length: 250 }, (_, i) => i);
    const found = lines({ model: counts({ applied: 250, ages }) });
    expect(found).toHaveLength(3);
    expect(found[0]).toMatchObject({ Applied: 250 });
    expect(found.slice(1).map((line) => Object.keys(line))).toEqual([
      ['model', 'Age'],
      ['model', 'Age'],
    ]);
    expect(found.flatMap(({ Age }) => Age)).toEqual(ages);
  });

  it('declare the unit of ages as milliseconds', () => {
    const models = new Map([['m', counts({ applied: 1, ages: [3] })]]);
    const settings = { namespace, ofModels: true, ofRecords: false };
    const [line = ''] = batchLines(settings, at, { models, deadLetters: 0, records: 1 });
    expect(read(line)._aws.CloudWatchMetrics[0]?.Metrics).toEqual([
      { Name: 'Applied', Unit: 'Count' },
      { Name: 'Age', Unit: 'Milliseconds' },
    ]);
  });
});

it('the number of conflicts of a model is recorded on a separate log line', () => {
  expect(metricsIn(read(conflictsLine(namespace, at, 'tickets', 3)))).toEqual({
    model: 'tickets',
    Conflicts: 3,
  });
});

it('the number of rejected notifications is recorded for all models together', () => {
  const line = read(refusedNotificationsLine(namespace, at, 3));
  expect(metricsIn(line)).toEqual({ RefusedNotifications: 3 });
});

it("the latency of the canary's event is recorded in milliseconds", () => {
  const line = read(canaryLatencyLine(namespace, at, 812));
  expect(metricsIn(line)).toEqual({ CanaryLatency: 812 });
  expect(line._aws.CloudWatchMetrics[0]!.Metrics).toEqual([
    { Name: 'CanaryLatency', Unit: 'Milliseconds' },
  ]);
});

it('the number of faulty event source mappings is recorded', () => {
  const line = read(faultyEventSourcesLine(namespace, at, 2));
  expect(metricsIn(line)).toEqual({ FaultyEventSources: 2 });
});
