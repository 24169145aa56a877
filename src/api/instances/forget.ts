import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import { isSealedValue } from '../../core/personal-data/sealed.ts';
import type { ForgetAnswer } from '../../model-runtime/protocol.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import type { Operation } from '../http/describe-operation.ts';
import { named } from '../http/named.ts';
import { cursorMember, cursorSchema, pageRequest, unknownCursorProblem } from '../http/paging.ts';
import { instancePath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { count, cursor } from '../http/schema-values.ts';
import type { HistoryForgetter } from '../stores/history-forgetter.ts';
import { readInstance } from './read-instance.ts';

/** The maximum number of parked events that are searched for plain text. */
const maximumParkedRead = 100;

type ForgetDependencies = Pick<
  RouteDependencies,
  'instances' | 'models' | 'parking' | 'dataKeys' | 'forgetter' | 'links'
>;

/**
 * Destroys an instance's data key, revokes its links, and invokes its model's function to remove unsealed personal data
 * from the history. If the function runs out of time, the response contains a cursor with which another request
 * continues the removal.
 *
 * @throws Problem 404 for an unknown instance or cursor. Problem 409 if the tracker has no data keys, if the model has
 *   no sensitive fields and no earlier version sealed the instance's data, or if the model's Lambda function fails.
 *   Problem 503 if the function is unavailable.
 */
export async function forget(
  { instances, models, parking, dataKeys, forgetter, links }: ForgetDependencies,
  key: InstanceKey,
  query: Readonly<Record<string, string>>,
) {
  const filters = { ...query, ...key };
  const from = firstVersion(pageRequest('forget', filters).cursor);
  const [, entry] = await Promise.all([readInstance(instances, key), models.get(key.model)]);
  // An earlier version of the model may have sealed data, for example, before a rollback.
  const isSealed = !entry || entry.sensitive || (await dataKeys?.get(key)) !== undefined;
  if (!dataKeys || !forgetter || !isSealed)
    throw new Problem(
      409,
      `the model ${key.model} has no sensitive fields, so nothing can be forgotten`,
    );
  await dataKeys.destroy(key);
  const revokedLinks = (await links?.revokeAll(key)) ?? 0;
  const waiting = await parking.oldest(key, maximumParkedRead);
  const parked = waiting.filter(({ event: { data } }) => data !== null && !isSealedValue(data));
  const answer = entry ? await forgetHistory(forgetter, entry.functionArn, key, from) : undefined;
  return {
    forgotten: true,
    rewritten: answer?.rewritten ?? null,
    parked: parked.length,
    revokedLinks,
    ...cursorMember(
      'forget',
      answer?.next === undefined ? undefined : String(answer.next),
      filters,
    ),
  };
}

async function forgetHistory(
  forgetter: HistoryForgetter,
  functionArn: string,
  { transaction }: InstanceKey,
  from: number,
): Promise<ForgetAnswer> {
  const invocation = await forgetter.forget(functionArn, { op: 'forget', transaction, from });
  if (invocation.kind === 'answered') return invocation.answer;
  throw new Problem(
    invocation.kind === 'unavailable' ? 503 : 409,
    `the data key has been destroyed, but searching the history for plain text failed: ${invocation.reason}`,
  );
}

function firstVersion(cursor = '1'): number {
  if (/^[1-9]\d{0,9}$/.test(cursor)) return Number(cursor);
  throw unknownCursorProblem();
}

/** The maximum length of a cursor: a version of ten digits in Base64. */
const maximumCursorLength = 14;

const forgotten = named('ForgetResult', {
  forgotten: v.pipe(v.literal(true), v.description('always true: the data key has been destroyed')),
  rewritten: v.pipe(
    v.nullable(count),
    v.description(
      'the number of commits that contained plain text, which was removed; null if the history was not searched, because the model is not registered',
    ),
  ),
  parked: v.pipe(
    count,
    v.description(
      'the number of parked events that still contain plain text; only the first 100 parked events are checked',
    ),
  ),
  revokedLinks: v.pipe(
    count,
    v.description("the number of revoked links to the instance's status page"),
  ),
  cursor,
});

export const operation: Operation = {
  id: 'forgetInstance',
  summary: "Forget an instance's personal data",
  description:
    "Destroys the data key of an instance's sensitive fields and revokes the links to the instance's status page. The history remains, without these fields. Repeat the request with the returned `cursor` until a response contains no `cursor`.",
  tag: 'instances',
  path: instancePath,
  answers: { 200: forgotten },
  problems: [404, 409],
  query: { cursor: cursorSchema(maximumCursorLength) },
};
