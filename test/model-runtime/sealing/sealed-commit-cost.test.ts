import crypto, { randomBytes } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sealCommit, unsealCommit } from '../../../src/model-runtime/sealing/sealed-commit.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';

const notes = Array.from({ length: 50 }, (_, index) => `note ${index}`);
const instance = { model: 'claim', transaction: 'C-1' };
/** A commit of 50 events. Each event adds a note to the state, so the states contain 1,325 notes, 50 of them distinct. */
const made = commitOf(instance, 1, {
  entries: notes.map((_, index) =>
    entryOf(instance, { state: JSON.stringify({ notes: notes.slice(0, index + 1) }) }),
  ),
  state: JSON.stringify({ notes }),
});
const sensitive = { state: ['notes.*'] };
const key = randomBytes(32);

describe('the states of a commit with repeated sensitive values', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('are sealed with one encryption per distinct value', () => {
    const encryptions = spyOnCrypto('createCipheriv');
    sealCommit(made, sensitive, key);
    expect(encryptions).toHaveBeenCalledTimes(notes.length);
  });

  it('are unsealed with one decryption per distinct value', () => {
    const sealed = sealCommit(made, sensitive, key);
    const decryptions = spyOnCrypto('createDecipheriv');
    expect(unsealCommit(sealed, key)).toEqual(made);
    expect(decryptions).toHaveBeenCalledTimes(notes.length);
  });
});

/** Counts the calls of a function of `node:crypto`, also in modules that imported the function by name. */
function spyOnCrypto(name: 'createCipheriv' | 'createDecipheriv') {
  const spy = vi.spyOn(crypto, name);
  syncBuiltinESMExports();
  return spy;
}
