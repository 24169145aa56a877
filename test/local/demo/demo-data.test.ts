import { describe, expect, it } from 'vitest';
import { decodeEvent, type TrackedEvent } from '../../../src/core/event/event.ts';
import { demoData } from '../../../src/local/demo/demo-data.ts';
import type { DemoRecord } from '../../../src/local/demo/demo-record.ts';

const now = Date.parse('2026-11-23T14:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;
const { past, coming } = demoData(1, now);

const decoded = (records: readonly DemoRecord[]) =>
  records.map(({ text, at }) => decodeEvent(Buffer.from(text), at));
const events = (records: readonly DemoRecord[]): TrackedEvent[] =>
  decoded(records).flatMap((result) => ('event' in result ? [result.event] : []));

describe('the demo data', () => {
  it('is the same for the same seed and time', () => {
    expect(demoData(1, now)).toEqual({ past, coming });
    expect(demoData(2, now)).not.toEqual({ past, coming });
  });

  it('covers the past 30 days and the coming hour', () => {
    const times = (records: readonly DemoRecord[]) => records.map(({ at }) => at);
    expect(Math.min(...times(past))).toBeGreaterThan(now - 30 * day);
    expect(Math.min(...times(past))).toBeLessThan(now - 29 * day);
    expect(Math.max(...times(past))).toBeLessThanOrEqual(now);
    expect(Math.min(...times(coming))).toBeGreaterThan(now);
    expect(Math.max(...times(coming))).toBeLessThan(now + hour);
  });

  it('contains events of every model, except models whose instances only other models start', () => {
    const models = new Set(events(past).map(({ model }) => model));
    expect([...models].toSorted()).toEqual([
      'activation',
      'claims',
      'map-reduce',
      'new-device',
      'service-request',
      'session',
      'tickets',
      'warranty-claim',
    ]);
  });

  it('contains the events of an instance consecutively and in chronological order', () => {
    const sent = events(past);
    const instance = ({ model, transaction }: TrackedEvent) => `${model}/${transaction}`;
    const runs = sent.filter(
      (event, index) => index === 0 || instance(event) !== instance(sent[index - 1]!),
    );
    expect(runs.length).toBe(new Set(runs.map(instance)).size);
    const isBefore = (event: TrackedEvent, next: TrackedEvent | undefined) =>
      next !== undefined && instance(next) === instance(event) && next.time < event.time;
    expect(sent.filter((event, index) => isBefore(event, sent[index + 1]))).toEqual([]);
  });

  it('ends with an event from the past hour', () => {
    expect(past.at(-1)!.at).toBeGreaterThan(now - hour);
  });

  it('contains some repeated events and some records that are not events', () => {
    const ids = events(past).map(({ source, id }) => `${source} ${id}`);
    const twice = ids.length - new Set(ids).size;
    expect(twice).toBeGreaterThan(10);
    expect(twice).toBeLessThan(ids.length / 50);
    const dead = past.length - ids.length;
    expect(dead).toBeGreaterThan(0);
    expect(dead).toBeLessThan(50);
  });

  it('contains the events of the coming hour in chronological order', () => {
    const times = coming.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(coming.length).toBeGreaterThan(100);
  });
});
