import { Duration } from 'aws-cdk-lib';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import type { SigningKeys } from './keys/signing-keys.ts';
import { Alarms } from './monitoring/alarms.ts';
import { checkAgeAlarm } from './monitoring/check-age-alarm.ts';
import { Dashboard } from './monitoring/dashboard.ts';
import { grantTopicKey } from './monitoring/grant-topic-key.ts';
import type { TrackerMetrics } from './monitoring/tracker-metrics.ts';
import type { DeadLetterQueue } from './pipeline/dead-letter-queue.ts';
import type { NotificationStream } from './pipeline/notification-stream.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';
import type { Tables } from './storage/tables.ts';
import type { TrackerFunctions } from './tracker-functions.ts';

/** The parts of a tracker that alarms and the dashboard monitor. */
export interface MonitoredTracker {
  readonly stream: Stream;
  readonly notificationStream?: NotificationStream;
  readonly busDeadLetters?: DeadLetterQueue;
  readonly tables: Tables;
  readonly functions: TrackerFunctions;
  readonly signingKeys: SigningKeys;
  readonly metrics: TrackerMetrics;
}

/** The alarms of a tracker and its optional dashboard. */
export interface TrackerMonitoring {
  readonly alarms: Alarms;
  readonly dashboard?: Dashboard;
}

/** Adds the alarms and the dashboard to a tracker. */
export function addMonitoring(
  scope: Construct,
  tracker: MonitoredTracker,
  props: ProcessTrackerProps,
): TrackerMonitoring {
  const { tables, functions } = tracker;
  const { dispatcher, publisher, api, customerPages, clock, wakeups, counter, canary } = functions;
  const hasCanary = canary !== undefined;
  const { iteratorAgeAlarm = Duration.minutes(1) } = props;
  checkAgeAlarm(iteratorAgeAlarm, dispatcher.recordAge, '`streamRetention`');
  if (publisher)
    checkAgeAlarm(iteratorAgeAlarm, publisher.recordAge, '`retention` in `notifications`');
  const alarms = new Alarms(scope, 'Alarms', {
    ...tracker,
    ...functions,
    provisionedTable: props.instancesCapacity && tables.instances,
    hasCanary,
    iteratorAge: iteratorAgeAlarm,
    topic: props.alarmTopic,
  });
  if (props.alarmTopic) grantTopicKey(scope, props.alarmTopic);
  if (props.dashboard === false) return { alarms };
  const dashboard = new Dashboard(scope, 'Dashboard', {
    ...tracker,
    publisher: publisher?.function,
    instances: tables.instances,
    functions: {
      dispatcher: dispatcher.function,
      ...(publisher && { publisher: publisher.function }),
      API: api.function,
      ...(customerPages && { 'customer pages': customerPages.function }),
      clock: clock.function,
      'wake-ups': wakeups.function,
      counter: counter.function,
      ...(canary && { canary: canary.function }),
    },
    dispatcher: dispatcher.function,
    api,
    hasCanary,
    modelMetrics: props.modelMetrics ?? true,
    alarms: alarms.all,
  });
  return { alarms, dashboard };
}
