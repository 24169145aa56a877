import { inChunks } from '../common/chunks.ts';
import { messageOf } from '../common/message-of.ts';
import type { Commit } from '../core/history/commit.ts';
import { type ArchiveRow, archiveRows } from './archive-row.ts';

/** A commit on the stream of the instances table, not read yet. */
export interface StreamedCommit {
  /** Where on the stream it stands. */
  readonly sequence: string;
}

/** The collaborators of the archiver. */
export interface ArchiverDependencies<Streamed extends StreamedCommit> {
  /** Reads commits whole, in the order given. */
  readonly readCommits: (streamed: readonly Streamed[]) => Promise<Commit[]>;
  /** Puts rows into the archive. It throws where some were not taken; all of them may be put again. */
  readonly putRows: (rows: readonly ArchiveRow[]) => Promise<void>;
  readonly logError: (reason: string) => void;
}

/** The most commits that are in memory at once. */
const commitsInMemory = 100;

/**
 * Archives commits, in order.
 *
 * @returns the first position on the stream from which commits have to be delivered again; undefined where all of
 *   them are archived.
 */
export async function archiveCommits<Streamed extends StreamedCommit>(
  { readCommits, putRows, logError }: ArchiverDependencies<Streamed>,
  streamed: readonly Streamed[],
): Promise<string | undefined> {
  for (const chunk of inChunks(streamed, commitsInMemory)) {
    try {
      await putRows((await readCommits(chunk)).flatMap(archiveRows));
    } catch (error) {
      logError(messageOf(error));
      return chunk[0]!.sequence;
    }
  }
  return undefined;
}
