import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/aws/client/dynamodb.ts';
import { itemBytes } from '../../src/aws/dynamodb/item-size.ts';
import { fingerprintOf } from '../../src/core/history/seen.ts';
import { defaultSeenLimits, type SeenLimits } from '../../src/core/history/seen-runs.ts';
import { accept, type Model } from '../../src/core/model/model.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { dynamoDbOf } from '../support/aws-in-memory/dynamodb-of.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';

/** A table of counters, and any number of processes that apply events to it. */
function tableOfCounters() {
  const instances = new InstancesInMemory(new ManualClock());
  /** Starts a process with empty caches. `fail` is called before each request and can throw an error. */
  function startProcess(limits: SeenLimits = defaultSeenLimits, fail = (_request: object) => {}) {
    const requests: object[] = [];
    const client = dynamoDbOf({
      async send(command) {
        requests.push(command);
        fail(command);
        return instances.database.send(command);
      },
    });
    const environment = {
      model: counter,
      store: instances.newStore(client),
      stream: new EventStreamInMemory(),
      notifier: new NotifierInMemory(),
      clock: new ManualClock(),
      seenLimits: limits,
    };
    return {
      requests,
      apply: (...events: readonly PositionedEvent[]) => transition(environment, events),
      async outcomes(...events: readonly PositionedEvent[]) {
        return (await transition(environment, events)).map(({ outcome }) => outcome);
      },
    };
  }
  const sum = () =>
    (JSON.parse(instances.commitsOf(placed(0).event).at(-1)!.state) as { sum: number }).sum;
  return { startProcess, sum };
}

/** Returns the events at the positions `from` to `to` (exclusive). Their ids contain their positions. */
const eventsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => placed(from + n, { id: `e${from + n}` }));

/** Returns text that hardly compresses. */
const textOf = (seed: string, outputLength: number) =>
  createHash('shake256', { outputLength }).update(seed).digest('base64');

const isPageInsert = (command: object) => JSON.stringify(command).includes('"SEEN#');
const isCommitInsert = (command: object) =>
  JSON.stringify(command).includes('"COMMIT#') && JSON.stringify(command).includes('INSERT INTO');

describe('a resent event', () => {
  it.each([1_500, 20_000])(
    'is a duplicate after %d other events, even if its time differs',
    async (count) => {
      const { startProcess, sum } = tableOfCounters();
      const writer = startProcess();
      const [first, ...others] = eventsOf(0, count + 1);
      await writer.apply(first!);
      for (let at = 0; at < others.length; at += 400)
        await writer.apply(...others.slice(at, at + 400));
      const later = placed(count + 2, { id: 'e0', time: '2031-01-01T00:00:00.000Z' });
      for (const process of [writer, startProcess()]) {
        expect(await process.outcomes(later, first!, others[10]!)).toEqual(
          Array.from({ length: 3 }, () => 'duplicate'),
        );
        expect(await process.outcomes(placed(count + 3, { id: 'e0', source: 'another' }))).toEqual([
          process === writer ? 'applied' : 'duplicate',
        ]);
      }
      expect(sum()).toBe(count + 2);
    },
  );

  it('is a duplicate even if the fingerprints are in several levels of sorted runs', async () => {
    const { startProcess, sum } = tableOfCounters();
    const process = startProcess({ recent: 4, fanout: 2 });
    const events = eventsOf(0, 200);
    for (const each of events) expect(await process.outcomes(each)).toEqual(['applied']);
    const fresh = startProcess({ recent: 4, fanout: 2 });
    for (const each of events) expect(await fresh.outcomes(each)).toEqual(['duplicate']);
    expect(sum()).toBe(200);
  });
});

describe('an event with the fingerprint of an earlier event', () => {
  const byFingerprint = new Map<number, string>();
  let pair: [string, string] | undefined;
  for (let n = 0; !pair; n++) {
    const id = `c${n}`;
    const fingerprint = fingerprintOf({ source: 'test', id });
    const other = byFingerprint.get(fingerprint);
    if (other) pair = [other, id];
    byFingerprint.set(fingerprint, id);
  }
  const [one, another] = pair;

  it.each([0, 50])('is applied after %d other events', async (count) => {
    const { startProcess } = tableOfCounters();
    const process = startProcess({ recent: 4, fanout: 2 });
    await process.apply(placed(0, { id: one }));
    for (const each of eventsOf(1, count + 1)) await process.apply(each);
    expect(await process.outcomes(placed(count + 2, { id: another }))).toEqual(['applied']);
    expect(await process.outcomes(placed(count + 3, { id: another }))).toEqual(['duplicate']);
    expect(await process.outcomes(placed(count + 4, { id: one }))).toEqual(['duplicate']);
  });
});

describe('a flush of fingerprints', () => {
  const limits = { recent: 4, fanout: 2 };

  it('does not happen in the first 999 events of an instance', async () => {
    const { startProcess } = tableOfCounters();
    const process = startProcess();
    for (const each of eventsOf(0, 999)) await process.apply(each);
    expect(process.requests.filter(isPageInsert)).toEqual([]);
  });

  it('reads less than 16 MB if the states are large, as does the search for a resent event', async () => {
    const instances = new InstancesInMemory(new ManualClock());
    let bytesRead = 0;
    const client = dynamoDbOf({
      async send(command) {
        const answer = await instances.database.send(command);
        const { Items = [] } = answer as { Items?: Item[] };
        bytesRead += Items.reduce((sum, item) => sum + itemBytes(item), 0);
        return answer;
      },
    });
    const model: Model = {
      ...counter,
      transition: ({ id }) => accept({ sum: 0, text: textOf(id, 48 * 1024) }),
    };
    const environment = {
      model,
      store: instances.newStore(client),
      stream: new EventStreamInMemory(),
      notifier: new NotifierInMemory(),
      clock: new ManualClock(),
    };
    const events = eventsOf(0, 500);
    let mostRead = 0;
    for (const each of [...events, placed(2_000, { id: 'e100' })]) {
      bytesRead = 0;
      const [outcome] = await transition(environment, [each]);
      mostRead = Math.max(mostRead, bytesRead);
      expect(outcome).toEqual({ outcome: events.includes(each) ? 'applied' : 'duplicate' });
    }
    expect(mostRead).toBeLessThan(16 * 1024 * 1024);
  });

  it('can be interrupted at any request without losing an event or applying one twice', async () => {
    const { startProcess, sum } = tableOfCounters();
    const events = eventsOf(0, 60);
    let interrupted = 0;
    for (const [place, each] of events.entries()) {
      let requests = 0;
      let outcome: string | undefined;
      for (let dies = 1; requests >= dies - 1; dies++) {
        requests = 0;
        const process = startProcess(limits, () => {
          if (++requests === dies) throw new Error('the process crashed');
        });
        [outcome] = await process.outcomes(each);
        if (requests >= dies) interrupted++;
      }
      expect(outcome).toMatch(/^(applied|duplicate)$/);
      expect(sum()).toBe(place + 1);
    }
    expect(interrupted).toBeGreaterThan(200);
    expect(await startProcess(limits).outcomes(...events)).toEqual(events.map(() => 'duplicate'));
  });

  it('loses no fingerprint if several writers flush concurrently', async () => {
    const { startProcess } = tableOfCounters();
    const writers = Array.from({ length: 4 }, () => startProcess(limits));
    const events = eventsOf(0, 120);
    const outcomes = await Promise.all(
      writers.map(async (writer, n) => {
        const all: string[] = [];
        for (let at = 0; at < events.length; at++)
          all.push(...(await writer.outcomes(events[(at * 7 + n * 31) % events.length]!)));
        return all;
      }),
    );
    expect(outcomes.flat().filter((outcome) => outcome === 'applied')).toHaveLength(120);
    expect(outcomes.flat().filter((outcome) => outcome === 'duplicate')).toHaveLength(360);
    expect(await startProcess(limits).outcomes(...events)).toEqual(events.map(() => 'duplicate'));
  });

  it('precedes the commit that references its pages', async () => {
    const { startProcess } = tableOfCounters();
    const process = startProcess(limits);
    for (const each of eventsOf(0, 5)) await process.apply(each);
    const order = process.requests
      .filter((request) => isPageInsert(request) || isCommitInsert(request))
      .map((request) => (isPageInsert(request) ? 'page' : 'commit'));
    expect(order).toEqual(['commit', 'commit', 'commit', 'commit', 'page', 'commit']);
  });
});
