import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancePath, Service } from '../../support/service/service.ts';
import { WebhookReceiver } from '../../support/service/webhook-receiver.ts';
import { office } from './office-hours/models/claim/model.ts';

interface Instance {
  readonly transaction: string;
  readonly version: number;
  readonly startedAt: string;
  readonly statusSince: string;
  readonly updatedAt: string;
  readonly milestones: readonly Record<string, unknown>[];
  readonly timers: readonly { name: string; dueAt: string }[];
  readonly risk?: Record<string, unknown>;
}

interface Notified {
  readonly type: string;
  readonly transaction: string;
  readonly milestone?: string;
}

let receiver: WebhookReceiver;
let service: Service;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  service = await Service.start({
    MILEPOST_MODELS: join(import.meta.dirname, 'office-hours', 'models'),
    MILEPOST_RELOAD: 'off',
    MILEPOST_WEBHOOK: receiver.url,
  });
});
afterAll(async () => {
  await service.stop();
  await receiver[Symbol.asyncDispose]();
});

type ClaimEvent = readonly [type: string, time: string, data?: object];

const received = (time: string, data = {}): ClaimEvent => ['claim.received', time, data];
const requested = (time: string): ClaimEvent => ['documents.requested', time];
const documents = (time: string, data = {}): ClaimEvent => ['documents.received', time, data];
const answered = (time: string): ClaimEvent => ['answer.sent', time];

const sent = new Map<string, number>();

async function send(claim: string, ...events: readonly ClaimEvent[]): Promise<void> {
  const first = sent.get(claim) ?? 0;
  sent.set(claim, first + events.length);
  await service.post(
    ...events.map(([type, time, data], index) => ({
      id: `e${first + index}`,
      modelid: 'claim',
      transactionid: claim,
      type,
      time,
      data,
    })),
  );
}

/** Sends events of a claim, and returns the claim once all of its events are in the history. */
async function after(claim: string, ...events: readonly ClaimEvent[]): Promise<Instance> {
  await send(claim, ...events);
  const path = instancePath('claim', claim);
  await service.eventually<{ entries: { event: { type: string } }[] }>(
    `${path}/history`,
    ({ entries }) =>
      entries.filter(({ event }) => event.type !== 'timer.fired').length === sent.get(claim),
  );
  return service.eventually<Instance>(path, () => true);
}

const answerOf = ({ milestones }: Instance) => milestones[1];

/** Returns the milestone in its state at an event time, even if that time is in the future. */
async function answerAsOf(claim: string, time: string) {
  const { body } = await service.ask<Instance>(
    `${instancePath('claim', claim)}?asOfEventTime=${time}`,
  );
  return answerOf(body);
}

/** Returns the types and details of the notifications about the milestone. */
const notified = (claim: string) =>
  receiver.taken
    .map(({ event }) => ({ ...event.detail, type: event['detail-type'] }) as Notified)
    .filter(({ transaction, milestone }) => transaction === claim && milestone === 'answered');

/** Waits until the list of claims with a risk contains a claim, and returns the list. */
async function listed(risk: string, claim: string): Promise<readonly Instance[]> {
  const { instances } = await service.eventually<{ instances: Instance[] }>(
    `/api/instances?model=claim&risk=${risk}`,
    (list) => list.instances.some(({ transaction }) => transaction === claim),
  );
  return instances;
}

/* Berlin is an hour ahead of UTC in winter, and two hours in summer. November 18, 2025, is a Tuesday. */

describe('the answer to a claim', () => {
  it('is expected after eight office hours', async () => {
    const tuesday = await after('TUESDAY', received('2025-11-18T08:00:00Z'));
    expect(answerOf(tuesday)).toMatchObject({
      expectedBy: '2025-11-18T16:00:00.000Z',
      atRiskAt: '2025-11-18T14:00:00.000Z',
    });
    const beforeNewYear = await after('NEW-YEAR', received('2025-12-31T15:00:00Z'));
    expect(answerOf(beforeNewYear)).toMatchObject({
      expectedBy: '2026-01-05T09:00:00.000Z',
      atRiskAt: '2026-01-02T13:00:00.000Z',
    });
    const summer = await after('SUMMER', received('2026-06-01T07:00:00Z'));
    expect(answerOf(summer)).toMatchObject({ expectedBy: '2026-06-02T08:00:00.000Z' });
  });

  it('is part of the SLA attainment for the week of its deadline', async () => {
    const inMarch = (day: string) => `2024-03-${day}T09:00:00Z`;
    await after('SLA-MET', received(inMarch('05')), answered(inMarch('05')));
    await after('SLA-BREACHED', received(inMarch('05')), answered(inMarch('08')));
    await after('SLA-FORGOTTEN', received(inMarch('06')));
    await after('SLA-PAUSED', received(inMarch('06')), requested(inMarch('06')));
    interface Attainment {
      readonly weeks: readonly { readonly from: string; readonly milestones: readonly object[] }[];
    }
    const path = '/api/models/claim/sla?from=2024-03-01&to=2024-03-31';
    const counted = { met: 1, breached: 2, open: 0, attainment: 0.3333 };
    const isCounted = ({ weeks }: Attainment) =>
      weeks[0]?.milestones.some((each) => isDeepStrictEqual({ ...each, ...counted }, each)) ??
      false;
    const { weeks } = await service.eventually<Attainment>(path, isCounted);
    expect(weeks).toEqual([
      {
        from: '2024-03-04',
        to: '2024-03-10',
        milestones: [{ id: 'answered', label: 'Answered', ...counted }],
      },
    ]);

    // This answer was sent on time, but its event arrives late.
    await send('SLA-FORGOTTEN', answered(inMarch('06')));
    const corrected = await service.eventually<Attainment>(path, ({ weeks: [week] }) =>
      isDeepStrictEqual(week?.milestones, [
        { id: 'answered', label: 'Answered', met: 2, breached: 1, open: 0, attainment: 0.6666 },
      ]),
    );
    expect(corrected.weeks).toHaveLength(1);
  });

  it('is current, then at risk, then late', async () => {
    await send('STATES', received('2025-11-18T08:00:00Z'));
    await receiver.until(() => notified('STATES').some(({ type }) => type === 'MilestoneLate'));
    const stateAt = async (time: string) => (await answerAsOf('STATES', time))?.['state'];
    expect(await stateAt('2025-11-18T13:59:59.999Z')).toBe('current');
    expect(await stateAt('2025-11-18T14:00:00.001Z')).toBe('at-risk');
    expect(await stateAt('2025-11-18T15:59:59.999Z')).toBe('at-risk');
    expect(await answerAsOf('STATES', '2025-11-18T17:30:00.000Z')).toMatchObject({
      state: 'late',
      lateBy: 'PT1H30M',
    });
  });

  it('is on time at its deadline, and late a millisecond after it', async () => {
    const inTime = await after(
      'IN-TIME',
      received('2025-11-18T08:00:00Z'),
      answered('2025-11-18T16:00:00Z'),
    );
    expect(answerOf(inTime)).toMatchObject({ state: 'reached' });
    expect(answerOf(inTime)).not.toHaveProperty('lateBy');
    const late = await after(
      'TOO-LATE',
      received('2025-11-18T08:00:00Z'),
      answered('2025-11-18T16:00:00.001Z'),
    );
    expect(answerOf(late)).toMatchObject({ state: 'reached', lateBy: 'PT0.001S' });
  });

  it('is expected after four office hours for gold customers, even if the tier becomes known later', async () => {
    const four = { expectedBy: '2025-11-18T12:00:00.000Z' };
    const gold = await after('GOLD', received('2025-11-18T08:00:00Z', { tier: 'gold' }));
    expect(answerOf(gold)).toMatchObject(four);
    const promoted = await after(
      'PROMOTED',
      received('2025-11-18T08:00:00Z', { tier: 'silver' }),
      documents('2025-11-18T09:00:00Z', { tier: 'gold' }),
    );
    expect(answerOf(promoted)).toMatchObject(four);
  });

  it('has no deadline and no timers while documents are missing', async () => {
    const paused = await after(
      'PAUSED',
      received('2025-11-18T08:00:00Z'),
      requested('2025-11-18T09:00:00Z'),
    );
    expect(answerOf(paused)).toMatchObject({ state: 'current', expectedBy: null, paused: true });
    expect(paused.timers).toEqual([]);
  });

  it('has the same deadline regardless of the order of the events', async () => {
    // The office is open for eight hours from Tuesday, 10:00, to Wednesday, 10:00.
    const events = [
      received('2025-11-18T08:00:00Z'),
      requested('2025-11-18T09:00:00Z'),
      documents('2025-11-19T09:00:00Z'),
      answered('2025-11-19T17:00:00Z'),
    ];
    for (const [index, order] of [events, events.toReversed()].entries()) {
      const claim = await after(`ORDER-${index}`, ...order);
      expect(answerOf(claim)).toMatchObject({
        expectedBy: '2025-11-19T16:00:00.000Z',
        lateBy: 'PT1H',
      });
      expect(claim).toMatchObject({
        startedAt: '2025-11-18T08:00:00.000Z',
        statusSince: '2025-11-19T17:00:00.000Z',
      });
    }
  });

  it('has a deadline that counts from the record time of the first event if that event has a time in the future', async () => {
    const claim = await after('AHEAD', received('2999-01-01T12:00:00Z'));
    const { updatedAt } = claim;
    expect(claim).toMatchObject({ version: 1, startedAt: updatedAt, statusSince: updatedAt });
    expect(answerOf(claim)).toMatchObject({ expectedBy: office.add(updatedAt, 'PT8H') });
    expect(await answerAsOf('AHEAD', updatedAt)).toMatchObject(answerOf(claim)!);
    const timers = claim.timers.map(({ name }) => name);
    expect(timers).toEqual(['risk/answered', 'late/answered']);
  });
});

describe('the lists of claims', () => {
  it('contain the late claims and the claims at risk', async () => {
    await after('LIST-LATE', received('2025-11-18T08:00:00Z'));
    await after('LIST-RISK', received('2025-11-18T08:00:00Z'), requested('2025-11-18T15:00:00Z'));
    const late = await listed('late', 'LIST-LATE');
    expect(late.find(({ transaction }) => transaction === 'LIST-LATE')?.risk).toMatchObject({
      state: 'late',
      milestone: 'answered',
      since: '2025-11-18T16:00:00.000Z',
    });
    const atRisk = await listed('at-risk', 'LIST-RISK');
    expect(atRisk.map(({ transaction, risk }) => [transaction, risk])).toEqual([
      ['LIST-RISK', { state: 'at-risk', milestone: 'answered', since: '2025-11-18T14:00:00.000Z' }],
    ]);
  });
});

describe('the notifications about a claim', () => {
  it('report that the answer is late, and report a correction when the event of a timely answer arrives late', async () => {
    const expectedBy = '2025-11-18T16:00:00.000Z';
    await send('CLEARED', received('2025-11-18T08:00:00Z'));
    await receiver.until(() => notified('CLEARED').some(({ type }) => type === 'MilestoneLate'));
    await send('CLEARED', answered('2025-11-18T15:00:00Z'));
    await receiver.until(() =>
      notified('CLEARED').some(({ type }) => type === 'MilestoneLateCleared'),
    );
    expect(notified('CLEARED').at(-1)).toMatchObject({
      type: 'MilestoneLateCleared',
      reachedAt: '2025-11-18T15:00:00Z',
      expectedBy,
    });
    const reached = notified('CLEARED').find(({ type }) => type === 'MilestoneReached');
    expect(reached).toMatchObject({ expectedBy });
    expect(reached).not.toHaveProperty('lateBy');
  });

  it('report how late the answer was', async () => {
    await send('LATE', received('2025-11-18T08:00:00Z'));
    await receiver.until(() => notified('LATE').some(({ type }) => type === 'MilestoneLate'));
    await send('LATE', answered('2025-11-19T08:00:00Z'));
    await receiver.until(() => notified('LATE').some(({ type }) => type === 'MilestoneReached'));
    expect(notified('LATE').at(-1)).toMatchObject({
      type: 'MilestoneReached',
      lateBy: 'PT16H',
    });
  });
});
