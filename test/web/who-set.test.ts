import { describe, expect, it } from 'vitest';
import { chosenStep, momentIn } from '../../web/pure/chosen-step.ts';
import { whoSet } from '../../web/pure/who-set.ts';

describe('whoSet', () => {
  const states = [
    { app: {}, log: [] },
    { app: { NBC: { token: 'a', failed: 0 } }, log: ['x'] },
    { app: { NBC: { token: 'a', failed: 1 } }, log: ['x', 'y'] },
    { app: { NBC: { token: 'a', failed: 1 } }, log: ['y'] },
  ];

  it('finds the step that set the current value of each field', () => {
    expect([...whoSet(states, 4)]).toEqual([
      ['/app/NBC/token', 2],
      ['/app/NBC/failed', 3],
      ['/log/0', 3],
    ]);
  });

  it('ignores the steps after the selected step', () => {
    expect([...whoSet(states, 2)]).toEqual([
      ['/app/NBC/token', 2],
      ['/app/NBC/failed', 2],
      ['/log/0', 2],
    ]);
    expect([...whoSet(states, 1)]).toEqual([
      ['/app', 1],
      ['/log', 1],
    ]);
  });
});

describe('chosenStep', () => {
  const entries = [1, 2, 2, 2, 3].map((version) => ({ version }));

  it.each<[Record<string, string>, number]>([
    [{}, 5],
    [{ step: '2' }, 2],
    [{ step: '9' }, 5],
    [{ version: '2' }, 4],
    [{ version: '2', step: '3' }, 3],
    [{ version: '1', step: '3' }, 1],
    [{ version: '9' }, 5],
    [{ version: 'x', step: '0' }, 5],
    [{ version: '99999999' }, 5],
  ])('for the query %j returns step %i', (query, step) => {
    expect(chosenStep(momentIn(query), entries, false)).toBe(step);
  });

  it('returns undefined if the latest step is selected but not loaded', () => {
    expect(chosenStep(momentIn({}), entries, true)).toBeUndefined();
    expect(chosenStep(momentIn({ step: '2' }), entries, true)).toBe(2);
    expect(chosenStep(momentIn({ version: '2' }), entries, true)).toBe(4);
  });

  it('returns undefined if later entries of the selected version may not be loaded', () => {
    expect(chosenStep(momentIn({ version: '3' }), entries, true)).toBeUndefined();
    expect(chosenStep(momentIn({ version: '9' }), entries, true)).toBeUndefined();
    expect(chosenStep(momentIn({ version: '3', step: '5' }), entries, true)).toBe(5);
  });

  it('returns 0 if no entries are loaded', () => {
    expect(chosenStep(momentIn({ version: '2' }), [], false)).toBe(0);
    expect(chosenStep(momentIn({}), [], false)).toBe(0);
  });
});
