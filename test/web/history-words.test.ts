import { describe, expect, it } from 'vitest';
import type { Entry } from '../../web/api/types.ts';
import { byTime } from '../../web/pure/by-time.ts';
import { eventTitle } from '../../web/pure/event-title.ts';

const milestones = [{ id: 'shipped', label: 'Shipped' }];
const title = (type: string, data: unknown) =>
  eventTitle({ type, data } as Entry['event'], milestones);

describe('the title of an event', () => {
  it.each([
    ['Shipped is late', 'timer.fired', { name: 'late/shipped' }],
    ['Shipped is at risk', 'timer.fired', { name: 'risk/shipped' }],
    ['Timer late/unknown', 'timer.fired', { name: 'late/unknown' }],
    ['Timer reminder', 'timer.fired', { name: 'reminder' }],
    ['Shipped', 'milestone.reached', { milestone: 'shipped' }],
    ['milestone.reached', 'milestone.reached', { milestone: 'unknown' }],
    ['order.paid', 'order.paid', { name: 'late/shipped' }],
    ['timer.fired', 'timer.fired', null],
  ])('is %j for the type %s with the data %j', (expected, type, data) => {
    expect(title(type, data)).toBe(expected);
  });
});

describe('a history by time', () => {
  const at = (hour: number) => ({ event: { time: `2026-01-05T0${hour}:00:00.000Z` } }) as Entry;
  const steps = (...hours: number[]) =>
    byTime(hours.map(at)).map(({ step, isOutOfOrder }) => (isOutOfOrder ? `${step}!` : `${step}`));

  it('shows the latest event first', () => {
    expect(steps(1, 2, 3)).toEqual(['3', '2', '1']);
    expect(steps(1, 1)).toEqual(['2', '1']);
  });

  it('marks events that were recorded after an event that happened later', () => {
    expect(steps(1, 4, 2, 3, 5)).toEqual(['5', '2', '4!', '3!', '1']);
  });
});
