import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../../lib/index.ts';
import { nameOf } from '../statements.ts';
import { entry, newTracker, templateOf } from '../tracker.ts';

const alarm = 'AWS::CloudWatch::Alarm';

/** A tracker with all options that have alarms. */
function withEveryAlarm(alarmTopic?: (stack: Stack) => Topic): Template {
  const { stack, tracker } = newTracker((scope) => ({
    archive: true,
    customerPages: true,
    alarmTopic: alarmTopic?.(scope),
  }));
  tracker.addModel('orders', { entry });
  tracker.addEventBridgeSource('Source', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.id' },
  });
  return Template.fromStack(stack);
}

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

/** One line per alarm: its path in the tracker, its metric, and its threshold. */
function rendered(template: Template): string {
  const lines = Object.entries(template.findResources(alarm)).map(([id, { Properties: props }]) => {
    const dimensions: Dimension[] = props.Dimensions ?? [];
    const of = dimensions.map(({ Name, Value }) => `${Name} ${nameOf(Value)}`);
    const metric = [props.Namespace, props.MetricName, ...of, props.Statistic].join(' ');
    const { Threshold, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Period } = props;
    const when = `${DatapointsToAlarm} of ${EvaluationPeriods} periods of ${Period} s`;
    return `${nameOf({ Ref: id })}: ${metric} > ${Threshold} in ${when}\n`;
  });
  // An event source is identified by its function; the hash of its stream adds nothing.
  return lines
    .toSorted()
    .join('')
    .replaceAll(/(EventSource)Test\w+/g, '$1');
}

describe('the alarms', () => {
  it('cover everything that needs an operator', async () => {
    await expect(rendered(withEveryAlarm())).toMatchFileSnapshot('alarms.txt');
  });

  it('fire above their threshold, treat missing data as fine, and notify the topic', () => {
    const template = withEveryAlarm((stack) => new Topic(stack, 'Topic'));
    template.allResourcesProperties(alarm, {
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
  });

  it('are 18 in a tracker with one model and the default options', () => {
    expect(Object.keys(templateOf({}, 'orders').findResources(alarm))).toHaveLength(18);
  });

  it.each([
    ['no notifications if they are turned off', Notifications.none(), 10],
    ['only the notification stream if there is no bus', Notifications.toStream(), 11],
  ])('cover %s', (_, notifications, count) => {
    expect(Object.keys(templateOf({ notifications }).findResources(alarm))).toHaveLength(count);
  });

  it('each name the section of the operations page that says what to do', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../docs/how-to/respond-to-alarms.md'),
      'utf8',
    );
    const sections = page.split(/^(?=#+ )/m).flatMap((section): [string, string][] => {
      const [, name] = /^### (\w+)\n/.exec(section) ?? [];
      return name ? [[name.toLowerCase(), section]] : [];
    });
    const found = new Map(sections);
    const every = withEveryAlarm();
    expect(Object.keys(every.findResources(alarm))).toHaveLength(21);
    const descriptions = Object.values(every.findResources(alarm)).map(
      ({ Properties }) => Properties.AlarmDescription as string,
    );
    for (const description of descriptions) {
      const [, section = ''] = /docs\/how-to\/respond-to-alarms\.md#(\w+)$/.exec(description) ?? [];
      for (const part of ['**Means.**', '**Look.**', '**Do.**'])
        expect(`${section}: ${found.get(section)}`).toContain(part);
    }
  });

  it('exist without a topic, and accept other actions', () => {
    const { tracker } = newTracker({ iteratorAgeAlarm: Duration.minutes(5) });
    tracker.addModel('orders', { entry });
    expect(tracker.alarms).toHaveLength(18);
    templateOf({ iteratorAgeAlarm: Duration.minutes(5) }).hasResourceProperties(alarm, {
      MetricName: 'IteratorAge',
      Threshold: 300_000,
      AlarmActions: Match.absent(),
    });
  });
});
