import { messageOf } from '../../common/message-of.ts';
import { type DeadLetter, deadLetterId } from '../../core/event/dead-letter.ts';
import { storedReason } from '../../core/history/reason.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { BatchDependencies } from '../dispatch-dependencies.ts';
import type { RegistryCache } from '../registry-cache.ts';
import type { RejectedRecord } from './rejected-record.ts';

/**
 * Stores rejected records as dead letters.
 *
 * @returns the records that could not be stored and must be redelivered.
 */
export async function putDeadLetters(
  { deadLetters, log, metrics, registry, recorder }: BatchDependencies,
  rejected: readonly RejectedRecord[],
): Promise<BatchItemFailure[]> {
  if (rejected.length === 0) return [];
  const letters = rejected.map(deadLetterOf);
  const answers = await deadLetters.put(letters);
  const stored = letters.filter((_, index) => !('error' in answers[index]!));
  if (stored.length > 0) log.deadLetters(stored);
  if (metrics && stored.length > 0) {
    const models = await registeredModels(registry, stored);
    for (const { modelId } of stored)
      recorder.recordDeadLetter(modelId !== null && models.has(modelId) ? modelId : undefined);
  }
  return rejected.flatMap(({ record }, index) => {
    const answer = answers[index]!;
    return 'error' in answer ? [{ record, reason: messageOf(answer.error) }] : [];
  });
}

const deadLetterOf = ({ record, reason, hints }: RejectedRecord): DeadLetter => ({
  ...hints,
  id: deadLetterId(record),
  reason: storedReason(reason),
  at: toIso(record.arrivedAt),
  partitionKey: record.partitionKey,
  parked: null,
  raw: record.data,
});

/**
 * Returns the registered models to which dead letters refer. Only registered models have metrics because a dead letter
 * can contain any text in place of a model id.
 */
async function registeredModels(
  registry: RegistryCache,
  letters: readonly DeadLetter[],
): Promise<ReadonlySet<string>> {
  const named = new Set(letters.flatMap(({ modelId }) => modelId ?? []));
  const found = await Promise.all(
    [...named].map(async (id) => {
      try {
        return (await registry.get(id)) ? [id] : [];
      } catch {
        return []; // Only metrics use the result, so a failed read is ignored.
      }
    }),
  );
  return new Set(found.flat());
}
