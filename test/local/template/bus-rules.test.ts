import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { describe, expect, it } from 'vitest';
import type { BusEvent } from '../../../src/aws-local/eventbridge/bus-event.ts';
import { compileRule, recordsOf } from '../../../src/aws-local/eventbridge/stream-rule.ts';
import { decodeEvent } from '../../../src/core/event/event.ts';
import { readService } from '../../../src/local/template/read-service.ts';
import type { Template as Synthesized } from '../../../src/local/template/template.ts';
import { entry, newTracker, type Tracked } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'us-east-1', accountId: '000000000000' };

function serviceWith(add: (tracked: Tracked) => void) {
  const tracked = newTracker();
  tracked.tracker.addModel('orders', { entry });
  add(tracked);
  const template = Template.fromStack(tracked.stack).toJSON() as Synthesized;
  return readService(template, place, (key) => `/assets/${key}`);
}

const busEvent = (detail: BusEvent['detail'], more: Partial<BusEvent> = {}): BusEvent => ({
  version: '0',
  id: 'f7b1c2d3-0000-0000-0000-000000000000',
  'detail-type': 'order.paid',
  source: 'com.example.shop',
  account: place.accountId,
  time: '2026-01-02T03:04:05Z',
  region: place.region,
  resources: [],
  detail,
  ...more,
});

const shop = serviceWith(({ stack, tracker }) => {
  tracker.addEventBridgeSource('Shop', {
    bus: new EventBus(stack, 'Bus', { eventBusName: 'shop' }),
    eventPattern: { source: ['com.example.shop'], detail: { total: [{ numeric: ['>', 0] }] } },
    event: {
      modelId: 'orders',
      transactionId: '$.detail.orderId',
      data: { amount: '$.detail.total', via: 'bus' },
    },
  });
});
const rules = shop.busRules.map(compileRule);

describe('an EventBridge source of a tracker', () => {
  it('is fully supported by the local service', () => {
    expect(shop.busRules).toMatchObject([
      { busName: 'shop', streamName: 'milepost-events', partitionKeyPath: '$.detail.orderId' },
    ]);
    expect(shop.unsupported).toEqual([]);
    expect(shop.schedules).toHaveLength(1);
  });

  it('converts a matching event to a Milepost event', () => {
    const event = busEvent({ orderId: 'O-1', total: 42.5 });
    const [record, ...others] = recordsOf(rules, [{ bus: 'shop', event }]);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ streamName: 'milepost-events', PartitionKey: 'O-1' });
    expect(decodeEvent(record!.Data, Date.now())).toMatchObject({
      event: {
        id: event.id,
        source: 'com.example.shop',
        type: 'order.paid',
        model: 'orders',
        transaction: 'O-1',
        data: { amount: 42.5, via: 'bus' },
      },
    });
  });

  it.each([
    ['on another bus', 'default', busEvent({ orderId: 'O-1', total: 1 })],
    ['that does not match', 'shop', busEvent({ orderId: 'O-1', total: 0 })],
    ['from another source', 'shop', busEvent({ orderId: 'O-1', total: 1 }, { source: 'other' })],
  ])('ignores an event %s', (_, bus, event) => {
    expect(recordsOf(rules, [{ bus, event }])).toEqual([]);
  });

  it.each([
    ['no transaction id', { total: 1 }],
    ['an empty transaction id', { total: 1, orderId: '' }],
    ['a transaction id that is too long', { total: 1, orderId: 'x'.repeat(257) }],
    ['an object as the transaction id', { total: 1, orderId: {} }],
  ])('converts an event with %s to a record that becomes a dead letter', (_, detail) => {
    const [record] = recordsOf(rules, [{ bus: 'shop', event: busEvent(detail) }]);
    expect(record!.PartitionKey).toBe(busEvent({}).id);
    expect(decodeEvent(record!.Data, Date.now())).not.toHaveProperty('event');
  });
});

describe('the rules of a template', () => {
  it('are read for the default bus and for an imported bus', () => {
    const { busRules } = serviceWith(({ stack, tracker }) => {
      const event = { modelId: 'orders', transactionId: '$.detail.id' };
      const eventPattern = { source: ['x'] };
      tracker.addEventBridgeSource('Default', { eventPattern, event });
      const arn = 'arn:aws:events:eu-west-1:123456789012:event-bus/imported';
      const bus = EventBus.fromEventBusArn(stack, 'Imported', arn);
      tracker.addEventBridgeSource('Other', { bus, eventPattern, event });
    });
    expect(busRules.map(({ busName }) => busName)).toEqual(['default', 'imported']);
  });

  it('are reported if they have an effect only in AWS', () => {
    const arn = 'arn:aws:sqs:us-east-1:123456789012:queue';
    const { busRules, unsupported } = serviceWith(({ stack }) => {
      const elsewhere = new Rule(stack, 'Elsewhere', { eventPattern: { source: ['x'] } });
      elsewhere.addTarget({ bind: () => ({ arn, input: RuleTargetInput.fromText('x') }) });
      const off = new Rule(stack, 'Off', { eventPattern: { source: ['x'] }, enabled: false });
      off.addTarget({ bind: () => ({ arn }) });
    });
    expect(busRules).toEqual([]);
    expect(unsupported).toEqual([
      expect.stringMatching(/^The rule Elsewhere\w+ takes effect only in AWS/),
    ]);
  });
});
