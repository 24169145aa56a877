import type { PutEventsRequest } from '@aws-sdk/client-eventbridge';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventBridge } from '../../src/aws/client/eventbridge.ts';
import { EventBridgeNotifier } from '../../src/aws/eventbridge-notifier.ts';
import type { Notice } from '../../src/core/notice.ts';
import { ManualClock } from '../support/manual-clock.ts';

const at = '2026-01-02T03:04:05.678Z';
const notice = (id: string, bytes = 0): Notice => ({
  id,
  type: 'StatusChanged',
  instance: { model: 'orders', transaction: 'O-1' },
  at,
  detail: { id, filler: 'x'.repeat(bytes) },
});
const notices = (...ids: (string | number)[]) => ids.map((id) => notice(String(id)));
type Entry = NonNullable<PutEventsRequest['Entries']>[number];
const idOf = ({ Detail }: Entry) => (JSON.parse(Detail!) as { id: string }).id;

const clock = new ManualClock();
let requests: Entry[][];
beforeEach(() => {
  requests = [];
});

/** A notifier of a bus that takes an entry only when it may. */
function notifierThat(takes: (id: string, request: number) => boolean): EventBridgeNotifier {
  const client: EventBridge = {
    putEvents({ Entries = [] }) {
      requests.push([...Entries]);
      const results = Entries.map((entry) =>
        takes(idOf(entry), requests.length)
          ? { EventId: 'any' }
          : { ErrorCode: 'ThrottlingException', ErrorMessage: 'too fast' },
      );
      return Promise.resolve({ Entries: results });
    },
  };
  return new EventBridgeNotifier(client, 'arn:of:bus', clock);
}
const publish = (notifier: EventBridgeNotifier, all: readonly Notice[]) =>
  clock.runUntil(notifier.publish(all));
const ids = () => requests.map((entries) => entries.map(idOf));

describe('EventBridgeNotifier', () => {
  const willing = () => notifierThat(() => true);

  it('puts a notice on its bus', async () => {
    await publish(willing(), [notice('n1')]);
    expect(requests).toEqual([
      [
        {
          EventBusName: 'arn:of:bus',
          Source: 'milepost',
          DetailType: 'StatusChanged',
          Time: new Date(at),
          Detail: JSON.stringify(notice('n1').detail),
        },
      ],
    ]);
  });

  it('puts ten at a time, in order', async () => {
    const all = Array.from({ length: 23 }, (_, i) => i);
    await publish(willing(), notices(...all));
    expect(requests.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(ids().flat()).toEqual(all.map(String));
  });

  it('keeps a request under what the oldest limit of 256 KB allows', async () => {
    const kilobytes = (id: string, size: number) => notice(id, size * 1024);
    const all = [kilobytes('a', 100), kilobytes('b', 100), kilobytes('c', 100), kilobytes('d', 1)];
    await publish(willing(), [...all, kilobytes('e', 250), kilobytes('f', 1)]);
    expect(ids()).toEqual([['a', 'b'], ['c', 'd'], ['e'], ['f']]);
  });

  it('makes no request for nothing', async () => {
    await publish(willing(), []);
    expect(requests).toEqual([]);
  });

  it('puts again from the first that was refused, and nothing of what comes later before', async () => {
    const notifier = notifierThat((id, request) => id !== '3' || request === 3);
    await publish(notifier, notices(...Array.from({ length: 12 }, (_, i) => i)));
    const rest = ['3', '4', '5', '6', '7', '8', '9'];
    expect(ids()).toEqual([['0', '1', '2', ...rest], rest, rest, ['10', '11']]);
  });

  it('waits longer each time', async () => {
    const began = clock.now();
    const times: number[] = [];
    const notifier = notifierThat(() => {
      times.push(clock.now() - began);
      return times.length === 4;
    });
    await publish(notifier, notices('a'));
    const waits = times.slice(1).map((time, i) => time - times[i]!);
    expect(waits).toEqual([100, 200, 400]);
  });

  it('gives up in the end, says on what, and puts nothing of what comes later', async () => {
    const all = Array.from({ length: 12 }, (_, i) => i);
    const notifier = notifierThat((id) => id !== '3');
    await expect(publish(notifier, notices(...all))).rejects.toThrow(
      'the bus did not take 3: ThrottlingException too fast',
    );
    expect(requests).toHaveLength(4);
    expect(ids().flat()).not.toContain('10');
  });

  it('do not wait for those of other instances', async () => {
    const of = (transaction: string, n: number): Notice => ({
      ...notice(`${transaction}${n}`),
      instance: { model: 'orders', transaction },
    });
    const all = Array.from({ length: 10 }, (_, n) => ['A', 'B', 'C'].map((each) => of(each, n)));
    const three = Promise.withResolvers<void>();
    const client: EventBridge = {
      async putEvents({ Entries = [] }) {
        requests.push([...Entries]);
        if (requests.length === 3) three.resolve();
        await three.promise;
        return { Entries: Entries.map(() => ({})) };
      },
    };
    await new EventBridgeNotifier(client, 'bus').publish(all.flat());
    for (const name of ['A', 'B', 'C'])
      expect(
        ids()
          .flat()
          .filter((id) => id.startsWith(name)),
      ).toEqual(all.map((_, n) => `${name}${n}`));
  });
});

it.each([{ Entries: undefined }, { Entries: [] }, { Entries: [{ EventId: 'any' }] }])(
  'does not take the answer %j for success of two',
  async (answer) => {
    const client = { putEvents: () => Promise.resolve(answer) };
    await expect(
      publish(new EventBridgeNotifier(client, 'bus', clock), notices('a', 'b')),
    ).rejects.toThrow(/PutEvents answered for [01] of 2 entries/);
  },
);
