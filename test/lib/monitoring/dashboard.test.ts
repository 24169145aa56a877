import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { Notifications } from '../../../lib/index.ts';
import { entry, newTracker, type Props, templateOf } from '../tracker.ts';

const dashboard = 'AWS::CloudWatch::Dashboard';

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly properties: {
    readonly title: string;
    readonly metrics?: readonly unknown[];
    readonly alarms?: readonly string[];
  };
}

function widgetsOf(props: Props, ...models: string[]): Widget[] {
  const { stack, tracker } = newTracker(props);
  for (const id of models) tracker.addModel(id, { entry });
  const [found] = Object.values(Template.fromStack(stack).findResources(dashboard));
  const [separator, parts] = found!['Properties'].DashboardBody['Fn::Join'];
  const body = parts.map((part: unknown) =>
    typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'"),
  );
  return JSON.parse(body.join(separator)).widgets;
}

it('the dashboard shows rows for alarms, the stream, outcomes, parked events and dead letters, notifications, functions, and the instances table', () => {
  const widgets = widgetsOf({}, 'orders');
  const rows = Map.groupBy(widgets, ({ y }) => y);
  const titles = [...rows.values()].map((row) => row.map(({ properties }) => properties.title));
  expect(titles.map((row) => row.join(' | ')).join('\n')).toMatchInlineSnapshot(`
    "Alarms
    Stream: records per minute | Stream: bytes per minute | Stream: age of events | API: requests per minute
    Applied | Rejected | Duplicates | Conflicts
    Parked | Dead letters | Event to commit, p50 | Event to commit, p99
    Notifications: records per minute | Notifications: bytes per minute | Notifications: age | Notifications: rejected by the bus
    Lambda: errors | Lambda: throttles | Lambda: duration, p99 | Lambda: concurrent executions
    Instances: write units per minute | Instances: read units per minute | Instances: throttled writes | Instances: throttled reads"
  `);
  for (const row of rows.values())
    expect(row.reduce((width, each) => width + each.width, 0)).toBe(24);
});

it('the dashboard labels the age that Lambda reports, which is the age of the last record of a batch', () => {
  const ages = widgetsOf({}).filter(({ properties }) => /: age/.test(properties.title));
  expect(ages).toHaveLength(2);
  for (const { properties } of ages)
    expect(JSON.stringify(properties.metrics)).toContain('"label":"newest in a batch"');
});

it('the dashboard includes the functions and alarms of models that are added later', () => {
  const widgets = widgetsOf({}, 'orders', 'parcels');
  const [alarms] = widgets;
  expect(alarms?.properties.alarms).toHaveLength(32);
  const lambda = widgets.filter(({ properties }) => properties.title.startsWith('Lambda: '));
  for (const { properties } of lambda) {
    const drawn = JSON.stringify(properties.metrics);
    for (const label of ['dispatcher', 'publisher', 'API', 'clock', 'orders', 'parcels'])
      expect(drawn).toContain(`"label":"${label}"`);
  }
});

it('the dashboard shows more than 100 alarms in several widgets, because a widget can contain no more', () => {
  const models = Array.from({ length: 40 }, (_, index) => `model-${index}`);
  const alarms = widgetsOf({}, ...models).filter(({ type }) => type === 'alarm');
  expect(alarms.map(({ x, width, properties }) => [x, width, properties.alarms?.length])).toEqual([
    [0, 12, 100],
    [12, 12, 8],
  ]);
  expect(new Set(alarms.flatMap(({ properties }) => properties.alarms)).size).toBe(108);
});

it('the dashboard draws a line for each model, including models that are added later', () => {
  const [applied] = widgetsOf({ streamName: 'mine' }).filter(
    ({ properties }) => properties.title === 'Applied',
  );
  expect(JSON.stringify(applied?.properties.metrics)).toContain(
    String.raw`SEARCH('{\"Milepost/mine\",\"model\"} MetricName=\"Applied\"', 'Sum', 60)`,
  );
});

it('the dashboard omits metrics that are turned off', () => {
  const titles = widgetsOf({
    modelMetrics: false,
    notifications: Notifications.none(),
  }).map(({ properties }) => properties.title);
  expect(titles).toContain('Parked');
  expect(titles).not.toContain('Applied');
  expect(titles.some((title) => title.startsWith('Notifications'))).toBe(false);
  expect(titles.some((title) => title.startsWith('Event to commit'))).toBe(false);
});

it('the dashboard can be turned off', () => {
  expect(templateOf({ dashboard: false }).findResources(dashboard)).toEqual({});
});
