import { accept, defineModel, reject } from 'milepost';
import * as v from 'valibot';

/** What a customer waits for, in order, each with the hours from the start that it should take. */
const steps = [
  { id: 'received', label: 'Received', hours: 1 },
  { id: 'verified', label: 'Verified', hours: 24 },
  { id: 'scheduled', label: 'Scheduled', hours: 48 },
  { id: 'fulfilled', label: 'Fulfilled', hours: 120 },
  { id: 'closed', label: 'Closed', hours: 168 },
] as const;
type Step = (typeof steps)[number]['id'];

/** A request on its way through the systems that work on it; times RFC 3339 in UTC. */
export interface Request {
  readonly started_at: string;
  readonly reached: { readonly [step in Step]?: string };
  readonly cancelled?: { readonly at: string; readonly reason: string };
}

/** The last moment that RFC 3339 has words for. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const moment = (time: number) => new Date(Math.min(time, endOfTime)).toISOString();

const cancelled = 'Cancelled';
const open = 'Open';

/** A customer's service request: any system reports any milestone, in any order. */
export const serviceRequest = defineModel({
  id: 'service-request',
  title: 'Customer service request',
  statuses: [open, ...steps.map((step) => step.label), cancelled],
  milestones: steps.map(({ id, label }) => ({ id, label })),
  events: {
    'milestone.reached': v.object({ milestone: v.picklist(steps.map((step) => step.id)) }),
    'request.cancelled': v.object({ reason: v.pipe(v.string(), v.nonEmpty()) }),
  },
  diagram: {
    nodes: [...steps, { id: cancelled, label: cancelled }].map(({ id, label }) => ({ id, label })),
    edges: [
      ...steps.slice(1).map((step, index) => ({
        from: steps[index]!.id,
        to: step.id,
        label: 'milestone reached',
      })),
      ...steps
        .slice(0, -1)
        .map((step) => ({ from: step.id, to: cancelled, label: 'request cancelled' })),
    ],
  },

  initial: (event): Request => ({ started_at: event.time, reached: {} }),

  transition(event, request) {
    if (request.cancelled) return reject('the request is cancelled');
    if (event.type === 'request.cancelled')
      return request.reached.closed
        ? reject('the request is closed')
        : accept({ ...request, cancelled: { at: event.time, reason: event.data.reason } });
    const { milestone } = event.data;
    if (request.reached[milestone]) return reject(`${milestone} is reached already`);
    return accept({ ...request, reached: { ...request.reached, [milestone]: event.time } });
  },

  describe({ started_at, reached, cancelled: isCancelled }) {
    const furthest = steps.findLast((step) => reached[step.id] !== undefined);
    return {
      status: isCancelled ? cancelled : (furthest?.label ?? open),
      done: isCancelled !== undefined || reached.closed !== undefined,
      milestones: steps.map(({ id, hours }) => ({
        id,
        ...(reached[id] === undefined ? {} : { at: reached[id] }),
        expectedBy: moment(Date.parse(started_at) + hours * 3_600_000),
      })),
    };
  },
});
