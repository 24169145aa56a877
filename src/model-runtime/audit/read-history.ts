import type { Clock } from '../../common/clock.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { InstanceStore } from '../../stores/instance-store.ts';

export interface HistoryDependencies {
  readonly store: InstanceStore;
  readonly clock: Clock;
}

/**
 * How long an API request that folds histories can take, in milliseconds. The limit is short because a caller is
 * waiting for the response.
 */
const maximumDurationMs = 15_000;

/**
 * Returns when an API request that folds histories must stop, in milliseconds since 1970.
 *
 * @param until when the invocation runs out of time, in milliseconds since 1970.
 */
export const foldingEnd = (clock: Clock, until: number) =>
  Math.min(until, clock.now() + maximumDurationMs);

/** How many commits to read at a time. */
const commitsPerRead = 50;

/** The error thrown when a history is too long to be folded within the time limit. */
export class OutOfTimeError extends Error {
  constructor() {
    super(
      "folding the history takes longer than the timeout of the model's Lambda function or, for an API request, " +
        `longer than ${maximumDurationMs / 1000} seconds`,
    );
    this.name = 'OutOfTime';
  }
}

/**
 * Reads an instance's commits up to and including `newest`, oldest first.
 *
 * @param newest the last commit to read.
 * @param until when to stop, in milliseconds since 1970.
 * @throws OutOfTimeError if time runs out; TypeError if a commit is missing.
 */
export async function* readHistory(
  { store, clock }: HistoryDependencies,
  newest: Commit,
  until: number,
): AsyncGenerator<Commit> {
  for (let version = 1; version <= newest.version; ) {
    const { commits } = await store.commitsFrom(newest, version, commitsPerRead);
    const read = commits.filter((each) => each.version <= newest.version);
    for (const commit of read) {
      // Folding a history with a gap would result in a wrong state, which a rebuild would store.
      if (commit.version !== version) throw missingCommit(version, commit);
      yield commit;
      version += 1;
    }
    if (read.length === 0) throw missingCommit(version, newest);
    if (version <= newest.version && clock.now() >= until) throw new OutOfTimeError();
  }
}

const missingCommit = (version: number, later: Commit) =>
  new TypeError(`commit ${version} is missing, but commit ${later.version} exists`);
