import pMap from 'p-map';
import type { SettledResult } from '../../stores/settled-result.ts';

/** Requests under way at once; more only queue up in the client's connection pool. */
const concurrency = 32;

/**
 * The answers, and in place of those that are errors, or not there, what the work for their inputs
 * comes to.
 */
export async function settleRemaining<In, Out>(
  inputs: readonly In[],
  answers: readonly (SettledResult<Out> | undefined)[],
  work: (input: In) => Promise<Out>,
): Promise<SettledResult<Out>[]> {
  const isOpen = (_: In, n: number) => !answers[n] || 'error' in answers[n];
  const rest = (await settleEach(inputs.filter(isOpen), work)).values();
  return inputs.map((input, n) => (isOpen(input, n) ? rest.next().value! : answers[n]!));
}

/** Does the work for each input, and keeps what one throws from the others. */
export function settleEach<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
): Promise<SettledResult<Out>[]> {
  const settle = async (input: In): Promise<SettledResult<Out>> => {
    try {
      return { value: await work(input) };
    } catch (error) {
      return { error };
    }
  };
  return pMap(inputs, settle, { concurrency });
}
