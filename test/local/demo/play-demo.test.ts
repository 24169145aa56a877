import { beforeEach, describe, expect, it } from 'vitest';
import { demoData } from '../../../src/local/demo/demo-data.ts';
import type { DemoRecord } from '../../../src/local/demo/demo-record.ts';
import { playDemo } from '../../../src/local/demo/play-demo.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const start = Date.parse('2026-11-23T14:00:00Z');
const data = demoData(1, start);

let clock: ManualClock;
let calls: DemoRecord[][];
let stopped: AbortController;
beforeEach(() => {
  clock = new ManualClock(start);
  calls = [];
  stopped = new AbortController();
});

function play(put = (records: readonly DemoRecord[]) => void calls.push([...records])) {
  return playDemo({
    put: async (records) => put(records),
    log: () => undefined,
    signal: stopped.signal,
    clock,
  });
}

describe('the demo', () => {
  it('sends past records immediately, in calls of at most 500 records', async () => {
    void play();
    await clock.settle();
    expect(calls.flat()).toEqual(data.past);
    expect(Math.max(...calls.map(({ length }) => length))).toBe(500);
  });

  it('sends each record of the coming hour at its time', async () => {
    await clock.runUntil(
      play((records) => {
        for (const { at } of records) expect(clock.now()).toBe(Math.max(start, at));
        calls.push([...records]);
      }),
    );
    expect(calls.flat()).toEqual([...data.past, ...data.coming]);
    expect(clock.now()).toBe(data.coming.at(-1)!.at);
  });

  it('ends when the service stops', async () => {
    const playing = play();
    await clock.settle();
    stopped.abort();
    await playing;
    expect(calls.flat()).toEqual(data.past);
  });

  it('ends with an error if the stream rejects records', async () => {
    const refusing = () => {
      throw new Error('the stream rejected 3 of 500 records');
    };
    await expect(play(refusing)).rejects.toThrow('the stream rejected 3 of 500 records');
  });
});
