import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { Sensitive } from '../../../src/core/personal-data/sensitive.ts';
import {
  type PersonalData,
  removePersonalData,
} from '../../../src/model-runtime/sealing/forget-history.ts';
import { sealCommit, unsealCommit } from '../../../src/model-runtime/sealing/sealed-commit.ts';
import { anyCommit } from '../../support/data/any-commit.ts';

/** JSON with few different names, so sensitive paths often match. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('Wilma', 5, null, true, { $sealed: 'Wilma' }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '$sealed'), tie('json'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', '*', '0'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('.'));
const paths = fc.array(path, { maxLength: 4 });
const types = ['taken', 'gone'];
const sensitive: fc.Arbitrary<Sensitive> = fc.record({
  state: paths,
  events: fc.record({ taken: paths, gone: paths }),
});
const commit = fc
  .tuple(anyCommit, fc.array(json, { minLength: 10, maxLength: 10 }), fc.constantFrom(...types))
  .map(([made, values, type]): Commit => {
    const texts = values.map((value) => JSON.stringify(value)).values();
    const next = () => texts.next().value ?? 'null';
    const entries = made.entries.slice(0, 2).map((entry) => ({
      ...entry,
      event: { ...entry.event, type },
      data: next(),
      state: next(),
    }));
    return { ...made, entries, state: next() };
  });
const key = randomBytes(32);

describe('sealing a commit', () => {
  it('is reversed by unsealing with the key, even if sensitive paths overlap', () => {
    fc.assert(
      fc.property(commit, sensitive, (made, marked) => {
        expect(unsealCommit(sealCommit(made, marked, key), key)).toEqual(made);
      }),
    );
  });

  it('has the same result as removing the personal data after the key is destroyed', () => {
    fc.assert(
      fc.property(commit, sensitive, (made, marked) => {
        const model: PersonalData = { sensitive: marked, events: { taken: {}, gone: {} } as never };
        const forgotten = unsealCommit(sealCommit(made, marked, key), 'forgotten');
        const rewritten = unsealCommit(removePersonalData(made, model) ?? made, 'forgotten');
        expect(rewritten).toEqual(forgotten);
      }),
    );
  });

  it('leaves no personal data to be removed', () => {
    fc.assert(
      fc.property(commit, sensitive, (made, marked) => {
        const model: PersonalData = { sensitive: marked, events: { taken: {}, gone: {} } as never };
        expect(removePersonalData(sealCommit(made, marked, key), model)).toBeUndefined();
        const rewritten = removePersonalData(made, model) ?? made;
        expect(removePersonalData(rewritten, model)).toBeUndefined();
      }),
    );
  });
});

describe('removing the personal data of an event whose type the model no longer declares', () => {
  it('removes all data of the event', () => {
    fc.assert(
      fc.property(commit, (made) => {
        const model: PersonalData = { sensitive: { events: {} }, events: {} };
        const { entries } = removePersonalData(made, model) ?? made;
        expect(unsealCommit({ ...made, entries }, 'forgotten').entries).toEqual(
          made.entries.map((entry) => ({
            ...entry,
            data: 'null',
            state: expect.anything(),
            effects: entry.effects.map((effect) => ({ ...effect, data: null })),
          })),
        );
      }),
    );
  });
});
