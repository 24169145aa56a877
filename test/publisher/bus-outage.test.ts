import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model } from '../../src/core/model/model.ts';
import { allDeadLetters } from '../support/aws-in-memory/stores-in-memory.ts';
import { NotificationPipeline } from '../support/service/notification-pipeline.ts';
import { Pipeline } from '../support/service/pipeline.ts';

const minute = 60_000;
const down = () => Promise.reject(new ServiceError('InternalException', 'the bus is down', 500));

/** A model whose status changes with each event. */
const switching = defineModel({
  id: 'switch',
  title: 'On and off',
  statuses: ['Off', 'On'],
  events: { pressed: v.unknown() },
  initial: () => ({ on: false }),
  transition: (_, { on }) => accept({ on: !on }),
  describe: ({ on }) => ({ status: on ? 'On' : 'Off' }),
}) as unknown as Model;
const pressed = (transaction: string) =>
  Array.from({ length: 4 }, () => ({ transaction, type: 'pressed' }));

describe('during a ten-minute outage of EventBridge', () => {
  it('events are applied immediately, and all notifications follow in order after the outage', async () => {
    const notifications = new NotificationPipeline();
    const events = new Pipeline(switching);
    events.notifying = notifications.notifier;
    const taking = notifications.answer;
    notifications.answer = down;
    const source = await notifications.start();

    for (let n = 0; n < 10; n++) {
      const batch = ['A', 'B', 'C'].flatMap(pressed);
      expect(await events.deliver(events.records(...batch))).toEqual([]);
      await notifications.clock.advance(minute);
    }
    expect(await events.history('A')).toHaveLength(40);
    expect(notifications.published).toEqual([]);
    expect(notifications.reasons).toContain('the bus is down');

    notifications.answer = taking;
    await notifications.clock.runUntil(source.waitUntilIdle());
    for (const transaction of ['A', 'B', 'C'])
      expect(notifications.publishedOf(transaction)).toEqual(
        Array.from({ length: 10 }, (_, version) =>
          [0, 1, 2, 3].map((count) => `switch/${transaction}/${version + 1}.${count}`),
        ).flat(),
      );
    expect(await allDeadLetters(notifications.letters)).toEqual([]);
  });
});
