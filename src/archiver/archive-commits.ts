import { inChunks } from '../common/chunks.ts';
import type { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import type { Commit } from '../core/history/commit.ts';
import { type ArchiveRow, archiveRows } from './archive-row.ts';

/** A commit that has not been decoded, on the change stream of the instances table. */
export interface StreamedCommit {
  /** The position of the commit on the stream. */
  readonly sequence: string;
}

export interface ArchiverDependencies<Streamed extends StreamedCommit> {
  /** Reads complete commits, in the given order. */
  readonly readCommits: (streamed: readonly Streamed[]) => Promise<Commit[]>;
  /** Puts rows into the archive. Throws an error if any row was rejected. Retrying with all rows is safe. */
  readonly putRows: (rows: readonly ArchiveRow[]) => Promise<void>;
  readonly logError: (reason: string) => void;
}

/**
 * The maximum number of commits in memory. A commit of a few kilobytes can contain more than 2 MB of states before
 * compression, and archiving it takes several times as much memory.
 */
const commitsInMemory = 10;

/**
 * Archives commits in order.
 *
 * @param deadline when to stop. The remaining commits are redelivered.
 * @returns the stream position from which commits must be redelivered; undefined if all commits are archived.
 */
export async function archiveCommits<Streamed extends StreamedCommit>(
  { readCommits, putRows, logError }: ArchiverDependencies<Streamed>,
  streamed: readonly Streamed[],
  deadline: Deadline,
): Promise<string | undefined> {
  const archive = async (chunk: readonly Streamed[]) =>
    putRows((await readCommits(chunk)).flatMap(archiveRows));
  for (const chunk of inChunks(streamed, commitsInMemory)) {
    try {
      if (deadline.hasPassed || (await deadline.race(archive(chunk))) === 'late')
        throw new Error('the archiver ran out of time');
    } catch (error) {
      logError(messageOf(error));
      return chunk[0]!.sequence;
    }
  }
  return undefined;
}
