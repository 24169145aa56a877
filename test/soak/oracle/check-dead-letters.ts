import type { ObservedLetter } from '../observe/observed.ts';
import type { Journal } from '../traffic/journal.ts';

/**
 * Checks the dead letters of records that are not valid events. For each acknowledged record, there is a dead letter
 * with its bytes and a reason. A record has at most as many dead letters as requests that put it on the stream.
 */
export function* checkDeadLetters(
  journal: Journal,
  letters: readonly ObservedLetter[],
): Generator<string> {
  const counts = new Map<string, number>();
  for (const { raw, reason } of letters) {
    counts.set(raw, (counts.get(raw) ?? 0) + 1);
    if (reason === '') yield `a dead letter has no reason: ${shortened(raw)}`;
  }
  for (const { put, attempts, isAcknowledged } of journal.flat()) {
    if (put.event) continue;
    const raw = put.bytes.toString('base64');
    const count = counts.get(raw) ?? 0;
    counts.delete(raw);
    if (isAcknowledged && count === 0) yield `no dead letter contains ${shortened(raw)}`;
    if (count > attempts)
      yield `${count} dead letters contain ${shortened(raw)}, which was put ${attempts} times`;
  }
  for (const raw of counts.keys()) {
    const { reason } = letters.find((each) => each.raw === raw)!;
    yield `unexpected dead letter (${reason}): ${shortened(raw)}`;
  }
}

const shortened = (raw: string) => Buffer.from(raw, 'base64').toString().slice(0, 200);
