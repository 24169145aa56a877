import {
  accept,
  after,
  cancelTimer,
  type Decision,
  defineModel,
  reject,
  startTimer,
  type TrackedEvent,
  timerFired,
} from 'milepost';
import * as v from 'valibot';

/** How long a session can go without events before it expires, as an ISO 8601 duration. */
const idleFor = 'PT30M';
const idle = 'idle';

/** The data that an application stores in a session: JSON, by name. */
export type Data = { readonly [name: string]: TrackedEvent['data'] };

/** A visitor's session on a website. */
export interface Session {
  readonly status: 'Open' | 'Expired' | 'Ended';
  /** The token that identifies the session; empty until the session is started. */
  readonly token: string;
  readonly data: Data;
  /** When the session expires: RFC 3339. */
  readonly expires_at: string;
}

const data = v.custom<Data>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** A website session: a token, and data that any server of the website can read and change. */
export const session = defineModel({
  id: 'session',
  title: 'Session on a website',
  statuses: ['Open', 'Expired', 'Ended'],
  events: {
    'session.started': v.object({
      token: v.pipe(v.string(), v.nonEmpty('must not be empty')),
      data: v.optional(data, {}),
    }),
    'session.updated': v.object({ set: data }),
    'session.ended': v.unknown(),
    'timer.fired': timerFired,
  },
  diagram: {
    nodes: [
      { id: 'Open', label: 'Open' },
      { id: 'Expired', label: 'Expired' },
      { id: 'Ended', label: 'Ended' },
    ],
    edges: [
      { from: 'Open', to: 'Open', label: 'session updated' },
      { from: 'Open', to: 'Expired', label: '30 minutes without events' },
      { from: 'Open', to: 'Ended', label: 'session ended' },
    ],
  },

  // A session that has not started has the status `Ended`, so it gives nobody access.
  initial: (event): Session => ({ status: 'Ended', token: '', data: {}, expires_at: event.time }),

  transition(event, session, { recordedAt }): Decision<Session> {
    // If the producer's clock is ahead, its time must not prolong the session.
    const time = Date.parse(event.time) < Date.parse(recordedAt) ? event.time : recordedAt;
    const expires_at = after(time, idleFor);
    if (event.type === 'session.started') {
      if (session.token !== '') return reject('the session has already started');
      return accept({ status: 'Open', ...event.data, expires_at }, startTimer(idle, expires_at));
    }
    if (session.token === '') return reject('the session has not started yet');
    if (session.status === 'Ended') return reject('the session has already ended');
    if (session.status === 'Expired') return reject('the session has already expired');
    if (event.type === 'timer.fired') return accept({ ...session, status: 'Expired' });

    // The session expires at `expires_at`, even if the timer fires later.
    if (Date.parse(time) >= Date.parse(session.expires_at))
      return reject(`the session expired at ${session.expires_at}`);
    if (event.type === 'session.ended')
      return accept({ ...session, status: 'Ended' }, cancelTimer(idle));
    const data = { ...session.data, ...event.data.set };
    // An event that arrives late must not shorten the session.
    if (expires_at <= session.expires_at) return accept({ ...session, data });
    return accept({ ...session, data, expires_at }, startTimer(idle, expires_at));
  },

  describe: ({ status, token }) => ({ status, done: token !== '' && status !== 'Open' }),
});
