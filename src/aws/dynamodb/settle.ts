import pMap from 'p-map';
import { type SettledResult, settle } from '../../stores/settled-result.ts';

/**
 * The maximum number of concurrent requests per call, which leaves some of the client's 50 connections to other calls.
 */
const concurrency = 32;

/**
 * Runs the work for each input that has no result yet or whose result is an error. Returns the results of all inputs.
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

/** Runs the work for each input in parallel. An error for one input does not affect the other inputs. */
export function settleEach<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
): Promise<SettledResult<Out>[]> {
  return pMap(inputs, (input) => settle(() => work(input)), { concurrency });
}
