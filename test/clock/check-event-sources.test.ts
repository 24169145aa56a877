import { describe, expect, it } from 'vitest';
import { findFaultyEventSources } from '../../src/clock/check-event-sources.ts';
import type { EventSourceCondition } from '../../src/stores/event-source-reader.ts';

const reading = (conditions: Readonly<Record<string, EventSourceCondition | Error>>) => ({
  async read(id: string): Promise<EventSourceCondition | undefined> {
    const condition = conditions[id];
    if (condition instanceof Error) throw condition;
    return condition;
  },
});

describe('the check of event source mappings', () => {
  it.each(['OK', 'No records processed', ''])(
    'finds no fault in an enabled mapping with the result %j',
    async (lastProcessingResult) => {
      const reader = reading({ a: { state: 'Enabled', lastProcessingResult } });
      expect(await findFaultyEventSources(reader, ['a'])).toEqual([]);
    },
  );

  it.each(['Disabled', 'Disabling', 'Enabling', 'Updating'])(
    'reports a mapping with the state %s',
    async (state) => {
      const reader = reading({ a: { state, lastProcessingResult: 'OK' } });
      expect(await findFaultyEventSources(reader, ['a'])).toEqual([
        { id: 'a', reason: `the state is ${state}` },
      ]);
    },
  );

  it('reports a mapping whose last result is a problem, with the message from AWS', async () => {
    const lastProcessingResult = 'PROBLEM: Function call failed';
    const reader = reading({ a: { state: 'Enabled', lastProcessingResult } });
    expect(await findFaultyEventSources(reader, ['a'])).toEqual([
      { id: 'a', reason: lastProcessingResult },
    ]);
  });

  it('reports a mapping that does not exist', async () => {
    expect(await findFaultyEventSources(reading({}), ['a'])).toEqual([
      { id: 'a', reason: 'the mapping does not exist' },
    ]);
  });

  it('reports a mapping that cannot be read, and still checks the other mappings', async () => {
    const reader = reading({
      a: new Error('denied'),
      b: { state: 'Disabled', lastProcessingResult: 'OK' },
    });
    expect(await findFaultyEventSources(reader, ['a', 'b'])).toEqual([
      { id: 'a', reason: 'the mapping cannot be read: denied' },
      { id: 'b', reason: 'the state is Disabled' },
    ]);
  });
});
