import type { InstanceKey } from '../../core/event/event.ts';
import type { PastInstance } from '../../core/history/commit.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { Problem } from '../http/problem.ts';
import { modelAnswer } from '../registry/model-answer.ts';
import { instanceName } from './instance-name.ts';
import { readInstance } from './read-instance.ts';

/**
 * Reads an instance as of an event time: the model's Lambda function folds the events that had happened by then.
 *
 * @param entry the model; undefined if it was removed from the registry.
 * @param eventTime RFC 3339 in UTC, to the millisecond.
 * @throws Problem 404 if the instance does not exist or none of its applied events had happened by then, 409 if the
 *   model is not registered or cannot fold the events, 503 if its function is unavailable.
 */
export async function readAtEventTime(
  { instances, auditor }: Pick<RouteDependencies, 'instances' | 'auditor'>,
  key: InstanceKey,
  entry: RegistryEntry | undefined,
  eventTime: string,
): Promise<PastInstance> {
  const { commit } = await readInstance(instances, key);
  const startedAt = commit?.startedAt ?? null;
  if (startedAt === null) throw notStarted(key, startedAt);
  if (!entry)
    throw new Problem(
      409,
      `the model ${key.model} is not registered, so its events cannot be folded; use \`at\` to get recorded states`,
    );
  const { transaction } = key;
  const request = { op: 'fold-until', transaction, eventTime } as const;
  const invocation = await auditor.foldUntil(entry.functionArn, request);
  const { instance } = modelAnswer(invocation);
  if (!instance) throw notStarted(key, startedAt);
  return instance;
}

function notStarted(key: InstanceKey, startedAt: string | null): Problem {
  const start =
    startedAt === null ? 'no event has been applied to it yet' : `it started at ${startedAt}`;
  return new Problem(404, `${instanceName(key)} had not started at this event time: ${start}`);
}
