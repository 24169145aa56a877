import { isPermanent } from '../../src/core/errors.ts';
import type { Settled } from '../../src/service/ports.ts';
import type { Faults } from './sabotage.ts';
import { sending, storing } from './tampering.ts';

type Committed = Settled<'committed' | 'conflict'>;

/** Has commits end otherwise. */
const committing = (change: (answers: readonly Committed[]) => Committed[]) => ({
  limits: true as const,
  ...storing((store) => ({ commit: async (commits) => change(await store.commit(commits)) })),
});

/** The same answers with other errors in place of some. */
const withErrors = (answers: readonly Committed[], other: (error: unknown) => unknown) =>
  answers.map((each) => ('error' in each ? { error: other(each.error) } : each));

/** Faults in telling what AWS refuses for good from what it refuses for now. */
export const limitFaults: Faults = {
  'what is refused for good is tried again': [
    committing((answers) => withErrors(answers, () => new Error('refused for now'))),
    /is never done|is lost/,
  ],
  'what is refused for now counts as refused for good': [
    committing((answers) =>
      withErrors(answers, () => Object.assign(new Error('refused'), { code: 'permanent' })),
    ),
    /is parked and need not be/,
  ],
  'one refusal counts for all instances': [
    committing((answers) => {
      const refused = answers.find((each) => 'error' in each && isPermanent(each.error));
      return refused ? answers.map(() => refused) : [...answers];
    }),
    /is parked and need not be|was applied/,
  ],
  'a giant id is written to the key index as it is': [
    {
      limits: true,
      ...sending(({ Statements = [] }) => {
        for (const { Statement, Parameters } of Statements)
          if (Statement?.includes("'instance'")) Parameters![1] = Parameters![2];
      }),
    },
    /is parked and need not be/,
  ],
  'a giant id is left out of the key index': [
    {
      limits: true,
      ...sending((input) => {
        for (const each of input.Statements ?? [])
          if (each.Statement?.includes("'instance'")) each.Parameters![2] = { S: 'tally#T1' };
      }),
    },
    /is not found by/,
  ],
};
