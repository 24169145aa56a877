import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../../lib/index.ts';
import { alarmsOf } from '../../support/cloudwatch/template-alarm.ts';
import { entry, newTracker, templateOf } from '../tracker.ts';
import { withEveryAlarm } from './every-alarm.ts';

const alarm = 'AWS::CloudWatch::Alarm';

/** One line per alarm: its path in the tracker, its metric, and its threshold. */
function rendered(template: Template): string {
  const lines = alarmsOf(template).map(({ id, rule, period, threshold, metrics, expression }) => {
    const names = metrics.map((each) => `${each.name} ${each.statistic}`);
    const of = expression
      ? `${expression}, ${metrics.map((each, index) => `${each.id} = ${names[index]}`).join(', ')}`
      : names[0];
    const { datapointsToAlarm, evaluationPeriods, treatMissingData } = rule;
    const when = `${datapointsToAlarm} of ${evaluationPeriods} periods of ${period * 60} s`;
    const data = treatMissingData === 'breaching' ? ' or without data' : '';
    return `${id}: ${of} > ${threshold}${data} in ${when}\n`;
  });
  return lines.toSorted().join('');
}

describe('the alarms', () => {
  it('match the recorded snapshot with all options that have alarms', async () => {
    await expect(rendered(withEveryAlarm())).toMatchFileSnapshot('alarms.txt');
  });

  it('match the recorded snapshot with lowLatency, which changes the metric for the age of the stream and adds an alarm for missing records', async () => {
    await expect(rendered(withEveryAlarm({ lowLatency: true }))).toMatchFileSnapshot(
      'alarms-low-latency.txt',
    );
  });

  it('all notify the topic', () => {
    const template = withEveryAlarm({ alarmTopic: (stack) => new Topic(stack, 'Topic') });
    template.allResourcesProperties(alarm, {
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
  });

  it('total 30 for a tracker with one model and the default options', () => {
    expect(Object.keys(templateOf({}, 'orders').findResources(alarm))).toHaveLength(30);
  });

  it('omit the rotation of the signing keys if it is turned off', () => {
    const template = templateOf({ signingKeyRotation: 'none' }, 'orders');
    expect(Object.keys(template.findResources(alarm))).toHaveLength(29);
  });

  it.each([
    ['notifications are turned off', Notifications.none(), 19],
    ['notifications stay on their stream', Notifications.toStream(), 20],
  ])('total $2 for a tracker without models if %s', (_, notifications, count) => {
    expect(Object.keys(templateOf({ notifications }).findResources(alarm))).toHaveLength(count);
  });

  it('cost as much as docs/reference/cost.md says', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/cost.md'), 'utf8');
    const metricsOf = (template: Template) =>
      alarmsOf(template).flatMap(({ metrics }) => metrics).length;
    const alarmCount = alarmsOf(templateOf({})).length;
    const silent = templateOf({ notifications: Notifications.none() });
    const perModel = metricsOf(templateOf({}, 'orders')) - metricsOf(templateOf({}));
    const base = metricsOf(templateOf({}));
    const withKey = templateOf((stack) => ({ encryptionKey: new Key(stack, 'Key') }));
    expect(metricsOf(withKey)).toBe(base + 1);
    expect(page).toContain('`encryptionKey` adds one if the tracker creates the notification bus');
    expect(page).toContain(
      `${base} metrics in ${alarmCount} alarms, and ${perModel} metrics per model: $${(base / 10).toFixed(2)} + $0.20 per model. With \`Notifications.none()\`, ${metricsOf(silent)} metrics instead of ${base}.`,
    );
  });

  it('each link to the section of the page that says what to do', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../docs/how-to/respond-to-alarms.md'),
      'utf8',
    );
    const sections = page.split(/^(?=#+ )/m).flatMap((section): [string, string][] => {
      const [, name] = /^### (\w+)\n/.exec(section) ?? [];
      return name ? [[name.toLowerCase(), section]] : [];
    });
    const found = new Map(sections);
    const every = withEveryAlarm({ lowLatency: true });
    expect(Object.keys(every.findResources(alarm))).toHaveLength(41);
    const descriptions = Object.values(every.findResources(alarm)).map(
      ({ Properties }) => Properties.AlarmDescription as string,
    );
    for (const description of descriptions) {
      const [, section = ''] = /docs\/how-to\/respond-to-alarms\.md#(\w+)$/.exec(description) ?? [];
      for (const part of ['**Means.**', '**Look.**', '**Do.**'])
        expect(`${section}: ${found.get(section)}`).toContain(part);
    }
  });

  it('have no actions if no topic is configured, and are all available to the app', () => {
    const { tracker } = newTracker({ iteratorAgeAlarm: Duration.minutes(5) });
    tracker.addModel('orders', { entry });
    expect(tracker.alarms).toHaveLength(30);
    const { tracker: other, stack } = newTracker({ archive: true });
    other.addModel('orders', { entry });
    other.addEventBridgeSource('Shop', {
      eventPattern: { source: ['shop'] },
      event: { modelId: 'orders', transactionId: '$.detail.id' },
    });
    expect(other.alarms).toHaveLength(
      Object.keys(Template.fromStack(stack).findResources(alarm)).length,
    );
    templateOf({ iteratorAgeAlarm: Duration.minutes(5) }).hasResourceProperties(alarm, {
      MetricName: 'IteratorAge',
      Threshold: 300_000,
      AlarmActions: Match.absent(),
    });
  });
});
