import { messageOf } from '../../src/common/message-of.ts';
import { isPermanent } from '../../src/core/errors.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';
import type { Faults } from './sabotage.ts';
import { sending, storing } from './tampering.ts';

type Committed = SettledResult<'committed' | 'conflict'>;

/** Replaces the errors in the results of a store. */
const withErrors = <Value>(
  answers: readonly SettledResult<Value>[],
  other: (error: unknown) => Error,
): SettledResult<Value>[] =>
  answers.map((each) => ('error' in each ? { error: other(each.error) } : each));

/** Faults that confuse permanent errors from AWS with temporary ones. */
export const limitFaults: Faults = {
  'permanent errors are retried': [
    {
      limits: true,
      ...storing((store) => ({
        commit: async (commits) =>
          withErrors(await store.commit(commits), (error) => new Error(messageOf(error))),
      })),
    },
    /was still busy|is lost/,
  ],
  'temporary errors are treated as permanent': [
    {
      limits: true,
      ...storing((store) => ({
        readConsistent: async (keys) =>
          withErrors(await store.readConsistent(keys), (error) =>
            Object.assign(new Error(messageOf(error)), { code: 'permanent' }),
          ),
      })),
    },
    /is parked unnecessarily/,
  ],
  'an error in one commit also causes the later commits of a request to fail': [
    {
      limits: true,
      ...storing((store) => ({
        async commit(commits) {
          const answers: Committed[] = [];
          let refusal: Committed | undefined;
          for (const commit of commits) {
            const answer = refusal ?? (await store.commit([commit]))[0]!;
            answers.push(answer);
            if ('error' in answer && isPermanent(answer.error)) refusal = answer;
          }
          return answers;
        },
      })),
    },
    /is parked unnecessarily/,
  ],
  'a giant id is written to the key index unchanged': [
    {
      limits: true,
      ...sending(({ Statements = [] }) => {
        for (const { Statement, Parameters } of Statements)
          if (Statement?.includes("'instance'")) Parameters![1] = Parameters![2];
      }),
    },
    /is parked unnecessarily/,
  ],
  'a giant id is missing from the key index': [
    {
      limits: true,
      ...sending((input) => {
        for (const each of input.Statements ?? [])
          if (each.Statement?.includes("'instance'")) each.Parameters![2] = { S: 'tally#T1' };
      }),
    },
    /does not contain it under/,
  ],
};
