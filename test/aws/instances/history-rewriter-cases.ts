import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emit } from '../../../src/core/effects/effect.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { HistoryRewriter } from '../../../src/model-runtime/sealing/history-rewriter.ts';
import type { InstanceStore } from '../../../src/stores/instance-store.ts';
import { anyCommit, ofInstance } from '../../support/data/any-commit.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';

/** Two rewriters, as if in two processes, and the store whose commits they rewrite. */
export interface RewriterUnderTest {
  readonly rewriter: HistoryRewriter;
  readonly other: HistoryRewriter;
  readonly store: InstanceStore;
}

let instances = 0;
export const newInstance = () => ({ model: 'm', transaction: `rewritten-${++instances}` });

/** Removes the data, states, and effects of a commit. */
const blank = (commit: Commit): Commit => ({
  ...commit,
  state: 'null',
  entries: commit.entries.map((entry) => ({
    ...entry,
    data: 'null',
    state: 'null',
    effects: entry.effects.map((effect) => ({ ...effect, data: null })),
  })),
});

/** Removes the data, states, and effects of a commit. Returns undefined if they are already removed. */
const blankOnce = (commit: Commit): Commit | undefined =>
  isDeepStrictEqual(commit, blank(commit)) ? undefined : blank(commit);

/** A commit whose data and effects have the given number of bytes each. */
export function largeCommit(key: InstanceKey, version: number, bytes = 100_000): Commit {
  const large = JSON.stringify(`${version}`.padEnd(bytes, 'secret'));
  const sent = emit({ model: 'n', transaction: 't', type: 'told', data: { large } });
  return commitOf(key, version, {
    entries: [entryOf(key, { data: large, effects: [sent], state: '{"s":"secret"}' })],
    state: '{"s":"secret"}',
  });
}

/** Rewrites a whole history. Returns the number of rewritten commits. */
export async function rewriteAll(
  rewriter: HistoryRewriter,
  instance: InstanceKey,
  change = blankOnce,
): Promise<number> {
  let rewritten = 0;
  for (let from: number | undefined = 1; from !== undefined; ) {
    const page = await rewriter.rewrite(instance, from, change);
    rewritten += page.rewritten;
    from = page.next;
  }
  return rewritten;
}

/** Defines the tests of `DynamoDbHistoryRewriter`, which run on an in-memory DynamoDB and on the embedded DynamoDB. */
export function historyRewriterCases(underTest: () => RewriterUnderTest): void {
  const write = async (commits: readonly Commit[]) => {
    for (const commit of commits) await underTest().store.commit([commit]);
  };
  const historyOf = async (instance: InstanceKey) => {
    const { commits } = await underTest().store.commitsFrom(instance, 1, 200);
    return commits;
  };

  it('a rewrite replaces only the data, states, and effects of a commit', async () => {
    await fc.assert(
      fc.asyncProperty(anyCommit, async (made) => {
        const instance = newInstance();
        const commit = ofInstance(instance, { ...made, version: 1 });
        await write([commit]);
        const before = await underTest().store.readConsistent([instance]);
        await rewriteAll(underTest().rewriter, instance);
        expect(await underTest().store.readConsistent([instance])).toStrictEqual(
          before.map((answer) => {
            if ('error' in answer) throw answer.error;
            return { value: { ...answer.value, commit: blank(answer.value.commit!) } };
          }),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('a rewrite changes an entire history, and a second rewrite changes nothing', async () => {
    const instance = newInstance();
    const commits = Array.from({ length: 60 }, (_, index) => commitOf(instance, index + 1));
    await write(commits);
    expect(await rewriteAll(underTest().rewriter, instance)).toBe(60);
    expect(await historyOf(instance)).toStrictEqual((await historyOf(instance)).map(blank));
    expect(await rewriteAll(underTest().rewriter, instance)).toBe(0);
  });

  it('a rewrite leaves commits that need no change unchanged', async () => {
    const instance = newInstance();
    await write([1, 2, 3].map((version) => commitOf(instance, version)));
    const before = await historyOf(instance);
    const second = (commit: Commit) => (commit.version === 2 ? blankOnce(commit) : undefined);
    expect(await rewriteAll(underTest().rewriter, instance, second)).toBe(1);
    expect(await historyOf(instance)).toStrictEqual([before[0], blank(before[1]!), before[2]]);
  });

  it('concurrent rewrites lead to the same result as one rewrite', async () => {
    const instance = newInstance();
    await write([1, 2, 3, 4].map((version) => largeCommit(instance, version)));
    const before = await historyOf(instance);
    const { rewriter, other } = underTest();
    await Promise.all([rewriter, other, rewriter].map((each) => rewriteAll(each, instance)));
    expect(await historyOf(instance)).toStrictEqual(before.map(blank));
  });

  it('a rewrite accepts an instance without commits', async () => {
    expect(await underTest().rewriter.rewrite(newInstance(), 1, blankOnce)).toEqual({
      rewritten: 0,
    });
  });
}
