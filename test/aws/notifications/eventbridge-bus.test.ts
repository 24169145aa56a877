import type { PutEventsRequest } from '@aws-sdk/client-eventbridge';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventBridge } from '../../../src/aws/client/eventbridge.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { EventBridgeBus } from '../../../src/aws/notifications/eventbridge-bus.ts';
import { Deadline } from '../../../src/common/deadline.ts';
import { messageOf } from '../../../src/common/message-of.ts';
import type { InstanceNotification } from '../../../src/publisher/notification-bus.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const time = '2026-01-02T03:04:05.678Z';
const of = (transaction: string, id: string, bytes = 0): InstanceNotification => ({
  instance: { model: 'orders', transaction },
  notification: {
    source: 'milepost',
    'detail-type': 'StatusChanged',
    time,
    detail: { id, filler: 'x'.repeat(bytes) },
  },
});
const ofOne = (...ids: (string | number)[]) => ids.map((id) => of('O-1', String(id)));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
type Entry = NonNullable<PutEventsRequest['Entries']>[number];
const idOf = ({ Detail }: Entry) => (JSON.parse(Detail!) as { id: string }).id;

let clock: ManualClock;
let requests: Entry[][];
beforeEach(() => {
  clock = new ManualClock();
  requests = [];
});

/**
 * Returns a bus that accepts an entry if `answer` returns undefined, and otherwise rejects it with the returned error
 * code.
 */
function busThat(answer: (id: string, request: number) => string | undefined): EventBridgeBus {
  const client: EventBridge = {
    async putEvents({ Entries = [] }) {
      requests.push([...Entries]);
      await Promise.resolve();
      return {
        Entries: Entries.map((entry) => {
          const ErrorCode = answer(idOf(entry), requests.length);
          return ErrorCode ? { ErrorCode, ErrorMessage: 'said the bus' } : { EventId: 'any' };
        }),
      };
    },
  };
  return new EventBridgeBus(client, 'arn:of:bus', clock);
}
const willing = () => busThat(() => undefined);
const throttled = 'ThrottlingException';

/** Publishes notifications. Returns the error message of each notification, or undefined on success. */
async function publish(
  bus: EventBridgeBus,
  all: readonly InstanceNotification[],
  deadline = Deadline.none(clock),
): Promise<(string | undefined)[]> {
  const answers = await clock.runUntil(bus.publish(all, deadline));
  return answers.map((each) => ('error' in each ? messageOf(each.error) : undefined));
}
const nameOf = ({ notification }: InstanceNotification) => notification.detail['id'] as string;
const isOfSame =
  ({ instance }: InstanceNotification) =>
  (other: InstanceNotification) =>
    other.instance.transaction === instance.transaction;
const ids = () => requests.map((entries) => entries.map(idOf));

describe('EventBridgeBus', () => {
  it('publishes a notification unchanged', async () => {
    expect(await publish(willing(), ofOne('n1'))).toEqual([undefined]);
    expect(requests).toEqual([
      [
        {
          EventBusName: 'arn:of:bus',
          Source: 'milepost',
          DetailType: 'StatusChanged',
          Time: new Date(time),
          Detail: JSON.stringify(of('O-1', 'n1').notification.detail),
        },
      ],
    ]);
  });

  it('puts up to ten entries per request, in order', async () => {
    await publish(willing(), ofOne(...upTo(23)));
    expect(requests.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(ids().flat()).toEqual(upTo(23).map(String));
  });

  it('keeps requests below the limit of 256 KB', async () => {
    const kilobytes = (id: string, size: number) => of('O-1', id, size * 1024);
    const all = [kilobytes('a', 100), kilobytes('b', 100), kilobytes('c', 100), kilobytes('d', 1)];
    await publish(willing(), [...all, kilobytes('e', 250), kilobytes('f', 1)]);
    expect(ids()).toEqual([['a', 'b'], ['c', 'd'], ['e'], ['f']]);
  });

  it('sends no request if there are no notifications', async () => {
    expect(await publish(willing(), [])).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('retries only a rejected notification and the later notifications of its instance', async () => {
    const bus = busThat((id, request) => (id === 'A1' && request < 3 ? throttled : undefined));
    const all = [of('A', 'A0'), of('A', 'A1'), of('B', 'B0'), of('A', 'A2'), of('B', 'B1')];
    expect(await publish(bus, all)).toEqual(all.map(() => undefined));
    expect(ids()).toEqual([
      ['A0', 'A1', 'B0', 'A2', 'B1'],
      ['A1', 'A2'],
      ['A1', 'A2'],
    ]);
  });

  it('doubles the delay after each attempt', async () => {
    const began = clock.now();
    const times: number[] = [];
    const bus = busThat(() => {
      times.push(clock.now() - began);
      return times.length < 4 ? throttled : undefined;
    });
    await publish(bus, ofOne('a'));
    const waits = times.slice(1).map((at, i) => at - times[i]!);
    expect(waits).toEqual([100, 200, 400]);
  });

  it('gives up on an instance after four attempts and continues with other instances', async () => {
    const all = [...ofOne(...upTo(12)), of('O-2', 'other')];
    const errors = await publish(
      busThat((id) => (id === '3' ? throttled : undefined)),
      all,
    );
    const taken = [0, 1, 2].map(() => undefined);
    const left = upTo(9).map(() => 'ThrottlingException said the bus');
    expect(errors).toEqual([...taken, ...left, undefined]);
    expect(ids().flat()).not.toContain('10');
    expect(
      ids()
        .flat()
        .filter((id) => id === '3'),
    ).toHaveLength(4);
  });

  it('skips a notification that the bus permanently rejects, and continues with the next notification of its instance', async () => {
    const bus = busThat((id) => (id === '3' ? 'MalformedDetail' : undefined));
    const errors = await publish(bus, ofOne(...upTo(12)));
    expect(errors.map((error, n) => (error ? n : []))).toEqual(
      upTo(12).map((n) => (n === 3 ? n : [])),
    );
    expect(ids().flat()).toEqual(upTo(12).map(String));
  });

  it('publishes all other notifications if one notification makes whole requests fail', async () => {
    const client: EventBridge = {
      putEvents({ Entries = [] }) {
        requests.push([...Entries]);
        if (Entries.some((entry) => idOf(entry) === '7'))
          throw new ServiceError('ValidationException', 'total size', 400);
        return Promise.resolve({ Entries: Entries.map(() => ({})) });
      },
    };
    const errors = await publish(new EventBridgeBus(client, 'bus', clock), ofOne(...upTo(12)));
    expect(errors).toEqual(upTo(12).map((n) => (n === 7 ? 'total size' : undefined)));
  });

  it('sends no more notifications of an instance after an entire request has failed', async () => {
    const client: EventBridge = {
      putEvents({ Entries = [] }) {
        requests.push([...Entries]);
        throw new ServiceError('InternalException', 'down', 500);
      },
    };
    const errors = await publish(new EventBridgeBus(client, 'bus', clock), ofOne(...upTo(50)));
    expect(errors).toEqual(upTo(50).map(() => 'down'));
    expect(requests).toHaveLength(1);
  });

  it('stops at its deadline and returns an error for each remaining notification', async () => {
    const client: EventBridge = {
      async putEvents({ Entries = [] }) {
        requests.push([...Entries]);
        await clock.sleep(4_000);
        return { Entries: Entries.map(() => ({})) };
      },
    };
    const bus = new EventBridgeBus(client, 'bus', clock);
    const deadline = new Deadline(clock, clock.now() + 10_000);
    const errors = await publish(bus, ofOne(...upTo(50)), deadline);
    expect(clock.now()).toBe(deadline.at);
    const late = 'the deadline passed before the bus accepted the notification';
    expect(errors).toEqual(upTo(50).map((n) => (n < 20 ? undefined : late)));
    expect(requests).toHaveLength(3);
  });

  it('publishes notifications of different instances in parallel', async () => {
    const all = upTo(10).map((n) => ['A', 'B', 'C'].map((each) => of(each, `${each}${n}`)));
    const three = Promise.withResolvers<void>();
    const client: EventBridge = {
      async putEvents({ Entries = [] }) {
        requests.push([...Entries]);
        if (requests.length === 3) three.resolve();
        await three.promise;
        return { Entries: Entries.map(() => ({})) };
      },
    };
    await publish(new EventBridgeBus(client, 'bus'), all.flat());
    for (const name of ['A', 'B', 'C'])
      expect(
        ids()
          .flat()
          .filter((id) => id.startsWith(name)),
      ).toEqual(upTo(10).map((n) => `${name}${n}`));
  });

  it('reports success only for accepted notifications and keeps the order within each instance, whatever the bus rejects', async () => {
    const code = fc.constantFrom(undefined, undefined, undefined, throttled, 'MalformedDetail');
    const instance = fc.constantFrom('A', 'B', 'C', 'D');
    await fc.assert(
      fc.asyncProperty(
        fc.array(instance, { maxLength: 60 }),
        fc.infiniteStream(code),
        async (names, codes) => {
          requests = [];
          const all = names.map((name, n) => of(name, `${name}${n}`));
          const taken: string[] = [];
          const bus = busThat((id) => {
            const { value } = codes.next();
            if (value === undefined) taken.push(id);
            return value;
          });
          const errors = await publish(bus, all);
          const done = all.filter((_, index) => errors[index] === undefined);
          for (const [index, each] of done.entries()) {
            const last = taken.lastIndexOf(nameOf(each));
            expect(last).toBeGreaterThanOrEqual(0);
            // Every earlier notification of the instance is on the bus before the last copy of `each`.
            const before = done.slice(0, index).filter(isOfSame(each));
            for (const one of before) expect(taken.indexOf(nameOf(one))).toBeLessThan(last);
          }
        },
      ),
    );
  });
});

it.each([{ Entries: undefined }, { Entries: [] }, { Entries: [{ EventId: 'any' }] }])(
  'EventBridgeBus returns an error for each of two entries if the response is %j',
  async (answer) => {
    const bus = new EventBridgeBus({ putEvents: () => Promise.resolve(answer) }, 'bus', clock);
    const wrong = expect.stringMatching(/PutEvents returned [01] results for 2 entries/);
    expect(await publish(bus, ofOne('a', 'b'))).toEqual([wrong, wrong]);
  },
);
