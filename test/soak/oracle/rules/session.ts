import { type Rules, type Step, timeOf } from './rules.ts';

interface Session {
  readonly status: string;
  readonly token: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly expires_at: string;
}

const idleMs = 30 * 60_000;

export const sessionRules: Rules<Session> = {
  initial: ({ time }) => ({ status: 'Ended', token: '', data: {}, expires_at: time }),
  apply(session, event, { recordedAt }): Step<Session> | undefined {
    const time = Math.min(timeOf(event), recordedAt);
    const end = time + idleMs;
    const expires_at = new Date(end).toISOString();
    const { token, data = {}, set } = event.data as { token: string; data?: object; set: unknown };
    if (event.type === 'session.started')
      return session.token === ''
        ? { state: { status: 'Open', token, data: { ...data }, expires_at }, starts: { idle: end } }
        : undefined;
    if (session.status !== 'Open') return undefined;
    if (event.type === 'timer.fired') return { state: { ...session, status: 'Expired' } };
    const expiry = Date.parse(session.expires_at);
    if (time >= expiry) return undefined;
    if (event.type === 'session.ended')
      return { state: { ...session, status: 'Ended' }, cancels: ['idle'] };
    if (typeof set !== 'object' || set === null) return undefined;
    const state = { ...session, data: { ...session.data, ...set } };
    return end > expiry ? { state: { ...state, expires_at }, starts: { idle: end } } : { state };
  },
  statusOf: ({ status }) => status,
  isDone: ({ status, token }) => token !== '' && status !== 'Open',
};
