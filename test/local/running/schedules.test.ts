import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InvokeRequest, InvokeResponse } from '../../../src/aws-local/lambda/invocation.ts';
import { type RunningSchedule, startSchedule } from '../../../src/local/running/schedules.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ok: InvokeResponse = { statusCode: 200, requestId: '1', payload: 'null' };
const failedWith = (errorMessage: string): InvokeResponse => ({
  ...ok,
  functionError: 'Unhandled',
  payload: JSON.stringify({ errorType: 'Error', errorMessage }),
});

let clock: ManualClock;
let calls: InvokeRequest[];
let lines: string[];
let muted: Set<string>;
let answer: () => Promise<InvokeResponse>;
let schedule: RunningSchedule;

beforeEach(() => {
  clock = new ManualClock();
  calls = [];
  lines = [];
  muted = new Set();
  answer = () => Promise.resolve(ok);
  const invoke = (input: InvokeRequest) => {
    calls.push(input);
    return answer();
  };
  const log = (line: string) => lines.push(line);
  schedule = startSchedule(
    { id: 'Schedule', functionName: 'clock' },
    { invoke, log, muted, clock },
  );
});
afterEach(() => schedule.stop());

describe('a schedule', () => {
  it('invokes its function with a schedule event every second, starting after one second', async () => {
    await clock.advance(999);
    expect(calls).toEqual([]);
    await clock.advance(2_001);
    expect(calls).toHaveLength(3);
    expect(calls.map(({ functionName }) => functionName)).toEqual(['clock', 'clock', 'clock']);
    expect(JSON.parse(String(calls[2]!.payload))).toMatchObject({
      source: 'aws.events',
      time: '2026-01-01T00:00:03.000Z',
    });
    expect(lines).toEqual([]);
  });

  it('continues if the clock is set back during an invocation', async () => {
    const slow = Promise.withResolvers<InvokeResponse>();
    answer = () => slow.promise;
    await clock.advance(1_000);
    clock.setBack(1_000_000);
    answer = () => Promise.resolve(ok);
    slow.resolve(ok);
    await clock.advance(2_000);
    expect(calls.length).toBeGreaterThan(2);
  });

  it('never runs two invocations concurrently and continues after a slow invocation', async () => {
    await clock.advance(1_000);
    const first = Promise.withResolvers<InvokeResponse>();
    answer = () => first.promise;
    await clock.advance(5_000);
    expect(calls).toHaveLength(2);
    answer = () => Promise.resolve(ok);
    first.resolve(ok);
    await clock.advance(0);
    expect(calls).toHaveLength(3);
    await clock.advance(1_000);
    expect(calls).toHaveLength(4);
  });

  it('logs repeated failures once and logs the recovery', async () => {
    const outages: [count: number, () => Promise<InvokeResponse>][] = [
      [3, () => Promise.resolve(failedWith('no connection'))],
      [3, () => Promise.resolve(ok)],
      [2, () => Promise.reject(new Error('Rate Exceeded.'))],
    ];
    for (const [count, next] of outages) {
      answer = next;
      await clock.advance(1_000 * count);
    }
    expect(calls).toHaveLength(8);
    expect(lines).toEqual([
      'clock failed; retrying every second: no connection',
      'clock has recovered',
      'clock failed; retrying every second: Rate Exceeded.',
    ]);
    expect([...muted]).toEqual(['clock']);
  });

  it('logs nothing about an invocation that fails after the schedule stops', async () => {
    await clock.advance(1_000);
    const last = Promise.withResolvers<InvokeResponse>();
    answer = () => last.promise;
    await clock.advance(1_000);
    schedule.stop();
    last.reject(new Error('the function clock was replaced or removed'));
    await clock.advance(10_000);
    expect(calls).toHaveLength(2);
    expect(lines).toEqual([]);
  });
});
