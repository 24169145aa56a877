import { isPermanent } from '../../core/errors.ts';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import { hasReason } from '../../core/event/dead-letter-reason.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { unknownCursorProblem } from '../http/paging.ts';
import {
  homeOf,
  instanceOfLetter,
  type RedriveDependencies,
  redriveDeadLetter,
} from './redrive-dead-letter.ts';

/** The maximum time that one request spends on redriving, in milliseconds. The caller continues with the cursor. */
const timeLimit = 5_000;
const pageSize = 100;

export interface RedriveRequest {
  /** Redrives only dead letters with this reason. Default: all dead letters. */
  readonly reason: string | undefined;
  /** The cursor of the previous result. Default: the redrive starts at the oldest dead letter. */
  readonly cursor: string | undefined;
}

export interface RedriveResult {
  readonly redriven: number;
  /** Undefined if the redrive is complete. */
  readonly cursor: string | undefined;
}

/**
 * Redrives dead letters, oldest first so that the events of an instance return to the stream in order. Skips dead
 * letters that arrived after the redrive began, rejected records whose stream no longer exists, and parked events whose
 * model is not registered.
 *
 * @throws Problem 404 for a malformed cursor.
 */
export async function redriveAll(
  dependencies: RedriveDependencies & Pick<ApiDependencies, 'models' | 'clock' | 'logError'>,
  { reason, cursor }: RedriveRequest,
): Promise<RedriveResult> {
  const { deadLetters, models, clock, logError } = dependencies;
  const until = clock.now() + timeLimit;
  const registered = new Set<string | null>((await models.list()).map(({ id }) => id));
  let { after, last } = cursor === undefined ? await startOf(deadLetters) : parsePosition(cursor);
  const isWanted = (letter: DeadLetter) =>
    letter.id <= last &&
    (letter.parked ? registered.has(letter.modelId) : homeOf(dependencies, letter)) &&
    (!reason || hasReason(letter, reason));
  /** The instances whose redrive was requested. One request redrives all parked events of an instance. */
  const requested = new Set<string>();
  const redrive = async (letter: DeadLetter): Promise<boolean> => {
    if (!letter.parked) return redriveDeadLetter(dependencies, letter);
    const name = JSON.stringify(instanceOfLetter(letter));
    if (!requested.has(name)) await redriveDeadLetter(dependencies, letter);
    requested.add(name);
    return true;
  };
  let redriven = 0;
  do {
    const page = await deadLetters.list({
      limit: pageSize,
      order: 'oldest',
      ...(after && { cursor: after }),
    });
    let end = page.cursor;
    for (const letter of page.items.filter(isWanted)) {
      try {
        if (await redrive(letter)) redriven++;
      } catch (error) {
        // A record that the stream can never accept must not hold back later records.
        if (!isPermanent(error)) throw error;
        logError(error);
      }
      // If AWS is slow, a whole page would take longer than the request may last.
      if (clock.now() < until) continue;
      end = letter.id;
      break;
    }
    after = end !== undefined && end < last ? end : undefined;
  } while (after !== undefined && clock.now() < until);
  return { redriven, cursor: after && `${after} ${last}` };
}

/** The position in a redrive of many dead letters. The cursor contains this position. */
interface RedrivePosition {
  /** The id of the last dead letter that was read; undefined at the start. */
  readonly after: string | undefined;
  /**
   * The id of the newest dead letter at the start. A record that is rejected again results in a dead letter with a
   * higher id, so the redrive ends.
   */
  readonly last: string;
}

async function startOf(deadLetters: DeadLetterStore): Promise<RedrivePosition> {
  const { items } = await deadLetters.list({ limit: 1 });
  return { after: undefined, last: items[0]?.id ?? '' };
}

function parsePosition(cursor: string): RedrivePosition {
  const [after, last] = cursor.split(' ');
  if (!after || !last) throw unknownCursorProblem();
  return { after, last };
}
