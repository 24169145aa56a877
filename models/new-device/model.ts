import {
  accept,
  after,
  cancelTimer,
  defineModel,
  type Effect,
  emit,
  instanceSource,
  outcomeRecorded,
  reject,
  startTimer,
  timerFired,
  transactionId,
  unixSeconds,
} from 'milepost';
import * as v from 'valibot';
import { hasFailed, later, noWork, steps, type WorkItem, withoutAttempts } from './work-item.ts';

/** How long a step waits for its outcome, as an ISO 8601 duration. */
const patience = 'PT60S';
/** The maximum number of attempts for a step. After the last attempt without an outcome, the work is stuck. */
const attemptsAllowed = 3;
/** The name of the timer that runs while a step waits. */
const noOutcome = 'no outcome';
/** The event that each waiting step sends to `activation`. */
const sentTypes = {
  provision: 'activation.requested',
  entitlement: 'entitlement.requested',
} as const;

/** Activates a service on a new device. The model's instances, the work items, send events to other models. */
export const newDevice = defineModel({
  id: 'new-device',
  title: 'A service for a new device',
  statuses: [...steps, 'Stuck', 'Failed'],
  events: {
    'activation.submitted': v.object({
      // The device and the service are parts of instance names: `activation/<device>` and `offers/<service>`.
      service: transactionId,
      device: transactionId,
      token: v.pipe(v.string(), v.nonEmpty('must not be empty')),
    }),
    'outcome.recorded': outcomeRecorded,
    'timer.fired': timerFired,
    'work.restarted': v.unknown(),
  },
  diagram: {
    nodes: [...steps, 'Stuck', 'Failed'].map((id) => ({ id, label: id })),
    edges: [
      { from: 'start', to: 'todo', label: 'activation submitted' },
      { from: 'todo', to: 'provision', label: 'activation requested' },
      { from: 'provision', to: 'entitlement', label: 'applied, entitlement requested' },
      { from: 'entitlement', to: 'end', label: 'applied' },
      ...Object.keys(sentTypes).flatMap((step) => [
        { from: step, to: 'Failed', label: 'rejected' },
        { from: step, to: 'Stuck', label: 'no outcome after three attempts' },
        { from: 'Failed', to: step, label: 'restarted' },
        { from: 'Stuck', to: step, label: 'restarted' },
      ]),
    ],
  },

  initial: () => noWork,

  transition(event, item, { recordedAt }) {
    if (event.type === 'activation.submitted') {
      const { device, service } = event.data;
      return item.last_step === 'start'
        ? send('provision', { ...item, ...event.data }, event.time, recordedAt, {
            beside: [listed(device, service)],
          })
        : reject(`the work item is already at ${item.last_step}`);
    }

    const step = item.last_step;
    if (step !== 'provision' && step !== 'entitlement')
      return reject(`no step is waiting at ${step}`);

    switch (event.type) {
      case 'outcome.recorded': {
        const { source, type, outcome, reason } = event.data;
        const activation = instanceSource({ model: 'activation', transaction: item.device });
        // Any producer can direct the outcome of its own event to this instance, and any model can emit this event
        // type.
        if (event.source !== activation || source !== instanceSource(event))
          return reject(
            `the outcome is not for an event that this work item sent to ${activation}`,
          );
        if (type !== sentTypes[step])
          return reject(`${step} does not wait for the outcome of ${type}`);
        if (outcome === 'duplicate') return reject('only the outcome of the first attempt counts');
        if (outcome === 'rejected') return afterRejection(item, reason ?? '');
        // The outcome has the time of its original event, which can be much earlier.
        if (step === 'provision')
          return send('entitlement', withoutAttempts(item), event.time, recordedAt, {
            from: recordedAt,
          });
        const ts = unixSeconds(later(item, event.time));
        return accept<WorkItem>(
          { ...withoutAttempts(item), last_step: 'end', ts },
          cancelTimer(noOutcome),
        );
      }
      case 'timer.fired':
        return item.attempts < attemptsAllowed
          ? send(step, item, event.time, recordedAt)
          : accept<WorkItem>({ ...item, stuck: true });
      case 'work.restarted':
        return item.stuck || hasFailed(item)
          ? send(step, withoutAttempts(item), event.time, recordedAt)
          : reject('only stuck or failed work can be restarted');
    }
  },

  // The help desk finds work items by their device, because it does not know their ids.
  keys: ({ device }) => ({ device: device || undefined }),

  describe(item) {
    return {
      status: hasFailed(item) ? 'Failed' : item.stuck ? 'Stuck' : item.last_step,
      done: item.last_step === 'end',
      progress: steps.indexOf(item.last_step) / (steps.length - 1),
    };
  },
});

/**
 * Sends the event of a step to `activation` and waits for the outcome.
 *
 * @param time the time of the event that causes the attempt.
 * @param recordedAt when this event is recorded. The wait never starts later.
 * @param options.from when the wait starts. Default: `time`.
 * @param options.beside additional effects.
 */
function send(
  step: keyof typeof sentTypes,
  item: WorkItem,
  time: string,
  recordedAt: string,
  {
    from = time,
    beside = [],
  }: { readonly from?: string; readonly beside?: readonly Effect[] } = {},
) {
  const { device, service, token, attempts } = item;
  const start = later(item, from);
  // If the producer's clock is ahead, its time must not delay the next attempt.
  const since = Date.parse(start) < Date.parse(recordedAt) ? start : recordedAt;
  return accept<WorkItem>(
    { ...item, last_step: step, ts: unixSeconds(later(item, time)), attempts: attempts + 1 },
    emit({
      model: 'activation',
      transaction: device,
      type: sentTypes[step],
      data: { service, token },
      replyTo: true,
    }),
    startTimer(noOutcome, after(since, patience)),
    ...beside,
  );
}

/**
 * Returns the effect that adds the device to the service's list. No reply is requested, because the outcome must not
 * delay the activation.
 */
const listed = (device: string, service: string) =>
  emit({ model: 'offers', transaction: service, type: 'device.added', data: { device } });

function afterRejection(item: WorkItem, reason: string) {
  const after: WorkItem = { ...item, rejected: (item.rejected ?? 0) + 1, reason };
  return hasFailed(after) ? accept(after, cancelTimer(noOutcome)) : accept(after);
}
