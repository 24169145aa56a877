import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { IsFieldPath } from '../../src/core/field-path.ts';
import { accept, defineModel } from '../../src/core/model.ts';
import type { Sensitive } from '../../src/core/sensitive.ts';

interface Traveller {
  readonly passport: string | null;
  readonly companions?: readonly Traveller[];
}
interface Booking {
  readonly name?: string | null;
  readonly contact?: { readonly email: string | null };
  readonly travellers: readonly Traveller[];
  readonly notes: Readonly<Record<string, { readonly text: string }>>;
  readonly extra: unknown;
  readonly shape: readonly object[];
}
type Is<Path extends string> = IsFieldPath<Booking, Path>;

describe('the paths of a state', () => {
  it('lead to its fields, through what may be missing, arrays and records', () => {
    expectTypeOf<Is<'name'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'contact.email'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'contact.*'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'travellers.*.passport'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'travellers.0.companions.*.passport'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'notes.*.text'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'notes.first.text'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'extra.anything.*.at.all'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'shape.*.x'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'*'>>().toEqualTypeOf<true>();
    expectTypeOf<Is<'*.email'>>().toEqualTypeOf<true>();
  });

  it('are not those that the type does not have', () => {
    expectTypeOf<Is<'nmae'>>().toEqualTypeOf<false>();
    expectTypeOf<Is<'contact.emial'>>().toEqualTypeOf<false>();
    expectTypeOf<Is<'travellers.passport'>>().toEqualTypeOf<false>();
    expectTypeOf<Is<'travellers.*.pasport'>>().toEqualTypeOf<false>();
    expectTypeOf<Is<'notes.*.texts'>>().toEqualTypeOf<false>();
    expectTypeOf<Is<'name.first'>>().toEqualTypeOf<false>();
  });

  it('are any text where the type says nothing of the fields', () => {
    expectTypeOf<IsFieldPath<unknown, 'a.b'>>().toEqualTypeOf<true>();
    // oxlint-disable-next-line typescript/no-explicit-any -- that is what it is about
    expectTypeOf<IsFieldPath<any, 'a.b'>>().toEqualTypeOf<true>();
  });
});

describe('defineModel', () => {
  const booking = {
    id: 'booking',
    title: 'A booking',
    statuses: ['Open'],
    events: { opened: v.unknown() },
    initial: (): Booking => ({ travellers: [], notes: {}, extra: null, shape: [] }),
    transition: (_: unknown, state: Booking) => accept(state),
    describe: () => ({ status: 'Open' }),
  };

  it('takes paths of the state, and paths that are not known to the compiler', () => {
    const marked = { state: ['name', 'travellers.*.passport'] as const, events: { opened: ['x'] } };
    expect(defineModel({ ...booking, sensitive: marked }).sensitive).toBe(marked);
    const read: Sensitive = { state: ['whatever'] };
    expect(defineModel({ ...booking, sensitive: read }).sensitive).toBe(read);
    expect(defineModel({ ...defineModel(booking), title: 'Again' }).title).toBe('Again');
  });

  it('does not compile with others', () => {
    // @ts-expect-error -- the state has no such field
    defineModel({ ...booking, sensitive: { state: ['nmae'] } });
    // @ts-expect-error -- one of them is wrong
    defineModel({ ...booking, sensitive: { state: ['name', 'contact.emial'] } });
    expect.assertions(0);
  });
});
