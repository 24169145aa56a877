import type { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import { isPermanent } from '../core/errors.ts';
import type { Commit } from '../core/history/commit.ts';
import { type ArchiveRow, archiveRows } from './archive-row.ts';

/** A commit from the instances table's change stream that has not been decoded yet. */
export interface StreamedCommit {
  /** The commit's position on the stream. */
  readonly sequence: string;
}

export interface ArchiverDependencies<Streamed extends StreamedCommit> {
  /** Reads complete commits, in the given order. */
  readonly readCommits: (streamed: readonly Streamed[]) => Promise<Commit[]>;
  /** Puts rows into the archive. Throws an error if any row was rejected. Retrying with all rows is safe. */
  readonly putRows: (rows: readonly ArchiveRow[]) => Promise<void>;
  readonly logError: (reason: string) => void;
  /** Logs and counts a commit that is not archived because it can never be read. */
  readonly logUnreadable: (streamed: Streamed, reason: string) => void;
}

/**
 * The maximum number of commits that are read at once. A commit of a few kilobytes can contain more than 2 MB of states
 * before compression, and archiving it takes several times as much memory.
 */
const commitsPerRead = 10;
/**
 * The total size of data and states, in characters, at which the rows in memory are put into the archive. Rows of small
 * commits are put together because Firehose charges for a minimum size per record.
 */
const charactersPerPut = 1_000_000;

/**
 * Archives commits in order. A commit that can never be read is logged and omitted. Otherwise, it would hold back the
 * other commits in its shard until the stream deletes them.
 *
 * @param deadline when to stop. The remaining commits are redelivered.
 * @returns the stream position from which commits must be redelivered; undefined if all commits are archived.
 */
export async function archiveCommits<Streamed extends StreamedCommit>(
  dependencies: ArchiverDependencies<Streamed>,
  streamed: readonly Streamed[],
  deadline: Deadline,
): Promise<string | undefined> {
  const { putRows, logError } = dependencies;
  const inTime = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = deadline.hasPassed ? 'late' : await deadline.race(work());
    if (result === 'late') throw new Error('the archiver ran out of time');
    return result;
  };
  /** The number of commits whose rows are archived. */
  let archived = 0;
  try {
    let rows: ArchiveRow[] = [];
    let characters = 0;
    for (let read = 0; read < streamed.length; ) {
      const some = streamed.slice(read, read + commitsPerRead);
      read += some.length;
      const commits = await inTime(() => readReadable(dependencies, some));
      for (const row of commits.flatMap(archiveRows)) {
        rows.push(row);
        characters += (row.data?.length ?? 0) + (row.state?.length ?? 0);
      }
      if (characters < charactersPerPut && read < streamed.length) continue;
      await inTime(() => putRows(rows));
      archived = read;
      rows = [];
      characters = 0;
    }
    return undefined;
  } catch (error) {
    logError(messageOf(error));
    return streamed[archived]!.sequence;
  }
}

/**
 * Reads commits. If the commits cannot be read together because of a permanent fault, reads each commit separately and
 * omits unreadable commits.
 */
async function readReadable<Streamed extends StreamedCommit>(
  dependencies: ArchiverDependencies<Streamed>,
  streamed: readonly Streamed[],
): Promise<Commit[]> {
  try {
    return await dependencies.readCommits(streamed);
  } catch (error) {
    if (!isPermanent(error)) throw error;
    const [first] = streamed;
    if (streamed.length === 1) {
      dependencies.logUnreadable(first!, messageOf(error));
      return [];
    }
    const commits: Commit[] = [];
    for (const each of streamed) commits.push(...(await readReadable(dependencies, [each])));
    return commits;
  }
}
