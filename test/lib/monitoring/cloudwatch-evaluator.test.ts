import { describe, expect, it } from 'vitest';
import {
  type AlarmState,
  alarmStateOf,
  type Datapoint,
} from '../../support/cloudwatch/alarm-state.ts';
import { evaluateMath } from '../../support/cloudwatch/metric-math.ts';
import { MetricSamples } from '../../support/cloudwatch/metric-samples.ts';
import { alarmStates, type TemplateAlarm } from '../../support/cloudwatch/template-alarm.ts';

/** Parses the notation of AWS's tables: 0 does not breach, X breaches, and - is missing. */
const points = (notation: string): Datapoint[] =>
  notation.split(' ').map((each) => (each === '-' ? undefined : each === 'X'));

/**
 * The tables of "How alarm state is evaluated when data is missing", with the states for `missing`, `ignore`,
 * `breaching`, and `notBreaching`.
 *
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
const treatments = ['missing', 'ignore', 'breaching', 'notBreaching'] as const;
const retained = 'retained';
const threeOfThree = [
  ['0 - X - X', 'OK', 'OK', 'OK', 'OK'],
  ['0 - - - -', 'OK', 'OK', 'OK', 'OK'],
  ['- - - - -', 'INSUFFICIENT_DATA', retained, 'ALARM', 'OK'],
  ['0 X X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['- - X - -', 'ALARM', retained, 'ALARM', 'OK'],
] as const;
const twoOfThree = [
  ['0 - X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0 0 X 0 X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0 - X - -', 'OK', 'OK', 'ALARM', 'OK'],
  ['- - - - 0', 'OK', 'OK', 'ALARM', 'OK'],
  ['- - - X -', 'ALARM', retained, 'ALARM', 'OK'],
] as const;

describe('the state of an alarm matches the documentation of CloudWatch', () => {
  const rows = [
    ...threeOfThree.map((row) => ({ datapointsToAlarm: 3, row })),
    ...twoOfThree.map((row) => ({ datapointsToAlarm: 2, row })),
  ];
  it.each(rows)(
    'for $datapointsToAlarm of 3 data points and the series $row.0',
    ({ datapointsToAlarm, row }) => {
      const [notation, ...expected] = row;
      const previousStates: AlarmState[] = ['OK', 'ALARM'];
      for (const previous of previousStates) {
        const states = treatments.map((treatMissingData) =>
          alarmStateOf(
            { evaluationPeriods: 3, datapointsToAlarm, treatMissingData },
            points(notation),
            previous,
          ),
        );
        expect(states).toEqual(expected.map((state) => (state === retained ? previous : state)));
      }
    },
  );

  it.each(['- - - - X', '- - - X -', '- - - X 0', '- - X - 0'])(
    'for 3 of 3 data points and the series %s, which causes no premature alarm',
    (notation) => {
      const rule = {
        evaluationPeriods: 3,
        datapointsToAlarm: 3,
        treatMissingData: 'missing',
      } as const;
      expect(alarmStateOf(rule, points(notation), 'OK')).toBe('OK');
    },
  );
});

describe('metric math', () => {
  const metrics = new Map([
    ['metric1', [30, 20, 0, 0]],
    ['metric2', [20, undefined, 20, undefined]],
    ['never', [undefined, undefined, undefined, undefined]],
  ]);

  it.each([
    ['metric1 < metric2', [0, 0, 1, 0]],
    ['metric1 >= 30', [1, 0, 0, 0]],
    ['metric1 > 15 AND metric2 > 15', [1, 0, 0, 0]],
  ])('evaluates the documented example %s', (expression, expected) => {
    expect(evaluateMath(expression, metrics)).toEqual(expected);
  });

  it.each([
    ['metric1 - 2 * (metric2 + 1)', [-12, 20, -42, 0]],
    ['metric2 > 100 * never', [1, undefined, 1, undefined]],
    ['never > never', [undefined, undefined, undefined, undefined]],
  ])(
    'counts a missing value as 0 only if the other series has a value: %s',
    (expression, expected) => {
      expect(evaluateMath(expression, metrics)).toEqual(expected);
    },
  );

  it.each([
    ['FILL(metric1, 0) > 0', 'does not support'],
    ['5', 'not a time series'],
    ['metric3 > 0', 'unknown metric'],
    ['(metric1 > 0', 'lacks a parenthesis'],
  ])('rejects %s with an error that contains "%s"', (expression, message) => {
    expect(() => evaluateMath(expression, metrics)).toThrow(message);
  });
});

describe('the states of an alarm over time', () => {
  const alarm: TemplateAlarm = {
    id: 'Alarm',
    rule: { evaluationPeriods: 1, datapointsToAlarm: 1, treatMissingData: 'notBreaching' },
    period: 5,
    threshold: 2,
    metrics: [{ id: 'm', name: 'Errors', statistic: 'Sum' }],
  };
  const inAlarm = (states: readonly AlarmState[]) =>
    states.flatMap((state, minute) => (state === 'ALARM' ? [minute] : []));

  it('are evaluated over periods that end at each minute', () => {
    const errors = new MetricSamples();
    for (const minute of [3, 5, 7]) errors.add(minute, 1);
    for (let minute = 0; minute < 20; minute++) errors.add(minute, 0);
    const states = alarmStates(alarm, new Map([['Errors', errors]]), 20, {
      extraRange: 1,
      delay: 0,
    });
    expect(inAlarm(states)).toEqual([7]);
  });

  it('ignore values that are not visible yet', () => {
    const errors = new MetricSamples();
    errors.add(3, 3, 6);
    const states = alarmStates(alarm, new Map([['Errors', errors]]), 20, {
      extraRange: 1,
      delay: 1,
    });
    expect(inAlarm(states)[0]).toBe(7);
  });
});
