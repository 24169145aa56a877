import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept } from '../../../src/core/model/model.ts';
import type { IsFieldPath } from '../../../src/core/personal-data/field-path.ts';
import type { Sensitive } from '../../../src/core/personal-data/sensitive.ts';

interface Traveler {
  readonly passport: string | null;
  readonly companions?: readonly Traveler[];
}
interface Booking {
  readonly name?: string | null;
  readonly contact?: { readonly email: string | null };
  readonly travelers: readonly Traveler[];
  readonly notes: Readonly<Record<string, { readonly text: string }>>;
  readonly extra: unknown;
  readonly shape: readonly object[];
}
/** For each path, true if it leads to a field of the state. A wrong value does not compile. */
type Answers<State, Path extends string> = { readonly [Each in Path]: IsFieldPath<State, Each> };
const answersOf = <State>() => ({
  are: <Path extends string>(answers: Answers<State, Path>) => Object.values<boolean>(answers),
});

describe('the field paths of a state', () => {
  it('lead through optional members, arrays, and records', () => {
    const live = answersOf<Booking>().are({
      name: true,
      'contact.email': true,
      'contact.*': true,
      'travelers.*.passport': true,
      'travelers.0.companions.*.passport': true,
      'notes.*.text': true,
      'notes.first.text': true,
      'extra.anything.*.at.all': true,
      'shape.*.x': true,
      '*': true,
      '*.email': true,
    });
    expect(live).not.toContain(false);
  });

  it('do not include fields that the type does not have', () => {
    const live = answersOf<Booking>().are({
      nmae: false,
      'contact.emial': false,
      'travelers.passport': false,
      'travelers.*.pasport': false,
      'notes.*.texts': false,
      'name.first': false,
    });
    expect(live).not.toContain(true);
  });

  it('can be any string if the type of the state does not declare fields', () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- the test covers this type
    const any = answersOf<any>().are({ 'a.b': true });
    expect([...answersOf<unknown>().are({ 'a.b': true }), ...any]).toEqual([true, true]);
  });
});

describe('defineModel', () => {
  const booking = {
    id: 'booking',
    title: 'A booking',
    statuses: ['Open'],
    events: { opened: v.unknown() },
    initial: (): Booking => ({ travelers: [], notes: {}, extra: null, shape: [] }),
    transition: (_: unknown, state: Booking) => accept(state),
    describe: () => ({ status: 'Open' }),
  };

  it('accepts sensitive paths of the state, and paths that the compiler does not know', () => {
    const marked = { state: ['name', 'travelers.*.passport'] as const, events: { opened: ['x'] } };
    expect(defineModel({ ...booking, sensitive: marked }).sensitive).toBe(marked);
    const read: Sensitive = { state: ['whatever'] };
    expect(defineModel({ ...booking, sensitive: read }).sensitive).toBe(read);
    expect(defineModel({ ...defineModel(booking), title: 'Again' }).title).toBe('Again');
  });

  it('rejects, at compile time, sensitive paths that the state does not have', () => {
    // @ts-expect-error -- the state has no such field
    defineModel({ ...booking, sensitive: { state: ['nmae'] } });
    // @ts-expect-error -- the second path is invalid
    defineModel({ ...booking, sensitive: { state: ['name', 'contact.emial'] } });
    expect.assertions(0);
  });
});
