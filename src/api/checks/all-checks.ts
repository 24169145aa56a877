import type { ApiDependencies } from '../api-dependencies.ts';
import { alarmCheck } from './alarm-check.ts';
import type { Check } from './check.ts';
import { clockCheck } from './clock-check.ts';
import { deadLetterCheck } from './dead-letter-check.ts';
import { eventSourceCheck } from './event-source-check.ts';
import { lagCheck } from './lag-check.ts';
import { modelCheck } from './model-check.ts';
import { parkedCheck } from './parked-check.ts';
import { streamCheck } from './stream-check.ts';

/** The parts of the service and the stores that the checks read. */
export type CheckDependencies = Pick<
  ApiDependencies,
  | 'installation'
  | 'lists'
  | 'parking'
  | 'deadLetters'
  | 'models'
  | 'versions'
  | 'clock'
  | 'logError'
>;

/** Creates the checks, in the order in which an event passes through the service. */
export function allChecks(dependencies: CheckDependencies): Check[] {
  const { installation, models, versions, deadLetters, clock } = dependencies;
  const { consumers, notificationStream, monitoring, awsCommand } = installation;
  const ofStreams = consumers.flatMap((consumer) => {
    const { name, stream } = consumer;
    if (stream === undefined) return [eventSourceCheck(consumer, installation)];
    const prefix = name === 'dispatcher' ? '' : 'notification-';
    return [
      streamCheck(`${prefix}stream`, stream, installation),
      eventSourceCheck(consumer, installation),
      ...(monitoring
        ? [lagCheck(`${prefix}lag`, consumer, stream, { monitoring, awsCommand, clock })]
        : []),
    ];
  });
  const isRead = consumers.some(({ stream }) => stream === notificationStream);
  return [
    ...ofStreams,
    ...(notificationStream === undefined || isRead
      ? []
      : [streamCheck('notification-stream', notificationStream, installation)]),
    modelCheck(models, versions),
    clockCheck(installation, clock),
    parkedCheck(dependencies),
    deadLetterCheck(deadLetters, clock),
    ...(monitoring ? [alarmCheck(monitoring, awsCommand)] : []),
  ];
}
