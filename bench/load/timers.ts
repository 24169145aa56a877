import { setTimeout as pause } from 'node:timers/promises';
import { instancePath, Service } from '../../test/support/service/service.ts';

/*
 * Measures the lateness of timers on the local service: how long after its due time a timer's event is applied. Tests
 * single timers on an idle service, many instances whose timers are due at the same time, and one instance with many
 * timers. If `instances` or `timers` is 0, the corresponding test is skipped. Usage: `npx node bench/load/timers.ts
 * [instances] [timers]`
 */
const instances = Number(process.argv[2] ?? 10_000);
const timers = Number(process.argv[3] ?? 2_000);

const service = await Service.start();

/** Repeats a request until it succeeds, because the API can be temporarily unavailable under load. */
async function answer<Body>(path: string): Promise<Body> {
  for (;;) {
    const { status, body } = await service.ask<Body>(path);
    if (status === 200) return body;
    await pause(100);
  }
}

interface Sent {
  readonly modelid: string;
  readonly transactionid: string;
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly data: object;
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * Creates the event that starts a session. Sessions expire after 30 minutes, so the event's time is 30 minutes before
 * the due time.
 */
const session = (transactionid: string, due: number): Sent => ({
  modelid: 'session',
  transactionid,
  id: 's',
  type: 'session.started',
  time: iso(due - 30 * 60_000),
  data: { token: 'secret' },
});

async function put(events: readonly Sent[]): Promise<void> {
  for (let n = 0; n < events.length; ) {
    const part = events.slice(n, n + 500);
    const request = { method: 'POST', body: JSON.stringify(part) };
    const { status } = await service.ask('/api/events', request);
    // Under load, the API can be temporarily unavailable. Putting the same events again has no effect.
    if (status === 202) n += part.length;
    else await pause(100);
  }
}

/** Waits until no session is open. */
async function allOver(): Promise<void> {
  for (;;) {
    const path = '/api/instances?model=session&status=Open&limit=1';
    const { instances: found } = await answer<{ instances: unknown[] }>(path);
    if (found.length === 0) return;
    await pause(250);
  }
}

/** Returns the time of each expired session's last change in milliseconds since 1970. */
async function changes(): Promise<number[]> {
  const found: number[] = [];
  for (let cursor = ''; ; ) {
    const path = `/api/instances?model=session&status=Expired&limit=100${cursor}`;
    const page = await answer<{ instances: { updatedAt: string }[]; cursor?: string }>(path);
    found.push(...page.instances.map(({ updatedAt }) => Date.parse(updatedAt)));
    if (!page.cursor) return found;
    cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
  }
}

function spread(late: readonly number[]): string {
  const sorted = late.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return `${sorted.length} fired; lateness in ms: first ${sorted[0]}, median ${at(0.5)}, p99 ${at(0.99)}, last ${sorted.at(-1)}`;
}

async function nowAndThen(): Promise<string> {
  const dues: number[] = [];
  for (let i = 0; i < 60; i++) {
    const due = Date.now() + 1_500;
    dues.push(due);
    await put([session(`ONE-${i}`, due)]);
    await pause(317);
  }
  await allOver();
  const late: number[] = [];
  for (const [i, due] of dues.entries()) {
    const { updatedAt } = await answer<{ updatedAt: string }>(instancePath('session', `ONE-${i}`));
    late.push(Date.parse(updatedAt) - due);
  }
  return spread(late);
}

async function atOnce(): Promise<string> {
  const before = (await changes()).length;
  // All instances must exist before the timers are due.
  const due = Date.now() + 5_000 + 5 * instances;
  await put(Array.from({ length: instances }, (_, i) => session(`MANY-${i}`, due)));
  await answer(instancePath('session', `MANY-${instances - 1}`));
  const early = due - Date.now();
  await pause(Math.max(0, early));
  await allOver();
  const late = (await changes()).slice(0, -before || undefined).map((at) => at - due);
  return `${spread(late)} (all were set ${Math.round(early)} ms earlier)`;
}

async function ofOne(): Promise<string> {
  const due = Date.now() + 10_000 + 5 * timers;
  const time = iso(due - 30_000);
  const about = { modelid: 'tickets', transactionid: 'ONE', time };
  const reserved = Array.from({ length: timers }, (_, i) => ({
    ...about,
    id: `r${i}`,
    type: 'tickets.reserved',
    data: { who: `customer ${i}`, qty: 1 },
  }));
  await put([
    { ...about, id: 'c', type: 'event.created', data: { available: timers } },
    ...reserved,
  ]);
  const path = instancePath('tickets', 'ONE');
  const running = async () => (await answer<{ timers: unknown[] }>(path)).timers.length;
  while ((await running()) < timers && Date.now() < due) await pause(250);
  const early = due - Date.now();
  await pause(Math.max(0, early));
  while ((await running()) > 0) await pause(250);
  const late: number[] = [];
  for (let cursor = ''; ; ) {
    const { entries, cursor: next } = await answer<{
      entries: { at: string; event: { type: string } }[];
      cursor?: string;
    }>(`${path}/history?limit=100${cursor}`);
    const fired = entries.filter(({ event }) => event.type === 'timer.fired');
    late.push(...fired.map(({ at }) => Date.parse(at) - due));
    if (!next) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  return `${spread(late)} (all were set ${Math.round(early)} ms earlier)`;
}

console.log(`single timers: ${await nowAndThen()}`);
if (instances > 0) console.log(`due at the same time, ${instances} instances: ${await atOnce()}`);
if (timers > 0)
  console.log(`due at the same time, ${timers} timers of one instance: ${await ofOne()}`);
await service.stop();
