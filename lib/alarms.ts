import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { deadLetterMessage } from '../src/core/dead-letter-log.ts';
import type { Clock } from './clock.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface AlarmsProps {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly streamName: string;
  readonly iteratorAge: Duration;
  readonly topic?: ITopic;
}

/** Alarms for what people have to look at: events that are late, set aside, or given up. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.all = wanted(this, props).map(({ name, description, metric, limit = 0, minutes = 1 }) => {
      const alarm = new Alarm(this, name, {
        alarmDescription: `Milepost: ${description}`,
        metric: metric.with({ period: Duration.minutes(1) }),
        threshold: limit,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: minutes,
        // A quiet stream has no data, and nothing wrong.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (props.topic) alarm.addAlarmAction(new SnsAction(props.topic));
      return alarm;
    });
  }
}

interface WantedAlarm {
  readonly name: string;
  readonly description: string;
  readonly metric: Metric;
  /** Goes off above this, within a minute; 0 if not given. */
  readonly limit?: number;
  /** How many minutes in a row it must be above; 1 if not given. */
  readonly minutes?: number;
}

function wanted(scope: Construct, props: AlarmsProps): WantedAlarm[] {
  const { function: dispatcher, eventSourceId } = props.dispatcher;
  const eventSource = (metricName: string) =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: { EventSourceMappingUUID: eventSourceId },
      statistic: Stats.SUM,
    });
  return [
    {
      name: 'IteratorAge',
      description: 'events wait on the stream for longer than they should',
      metric: dispatcher.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: props.iteratorAge.toMilliseconds(),
      minutes: 3, // a cold start or one retry is over sooner
    },
    {
      name: 'DeadLetters',
      description: 'records arrived that are no events of a known model; see the dead letters',
      metric: deadLetterMetric(scope, props),
    },
    {
      name: 'GivenUp',
      description: 'records were given up after all retries, and are in the failure bucket',
      metric: eventSource('OnFailureDestinationDeliveredEventCount'),
    },
    {
      name: 'Dropped',
      description: 'records were given up and not kept; they are on the stream until they expire',
      metric: eventSource('DroppedEventCount'),
    },
    {
      name: 'DispatcherErrors',
      description: 'the dispatcher failed as a whole, on a batch that is being tried again',
      metric: dispatcher.metricErrors(),
    },
    {
      name: 'DispatcherThrottles',
      description: 'the dispatcher may not run as often as it should; see the concurrency limit',
      metric: dispatcher.metricThrottles(),
    },
    {
      name: 'ClockErrors',
      description: 'the clock could not fire every timer that is due, and goes on trying',
      metric: props.clock.function.metricErrors(),
    },
  ];
}

/** Adds up `count` over the dispatcher's log lines about dead letters; Lambda wraps each in its own. */
function deadLetterMetric(scope: Construct, { dispatcher, streamName }: AlarmsProps): Metric {
  return new MetricFilter(scope, 'DeadLetterFilter', {
    logGroup: dispatcher.logGroup,
    // A stream's name is unique in its account and region, so that two trackers never share a metric.
    metricNamespace: `Milepost/${streamName}`,
    metricName: 'DeadLetters',
    filterPattern: FilterPattern.stringValue('$.message.message', '=', deadLetterMessage),
    metricValue: '$.message.count',
  }).metric({ statistic: Stats.SUM });
}
