import pMap from 'p-map';
import type { Settled } from '../service/ports.ts';

/** Requests under way at once; more only queue up in the client's connection pool. */
const concurrency = 32;

/** Does the work for each input, and keeps what one throws from the others. */
export function settleEach<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
): Promise<Settled<Out>[]> {
  const settle = async (input: In): Promise<Settled<Out>> => {
    try {
      return { value: await work(input) };
    } catch (error) {
      return { error };
    }
  };
  return pMap(inputs, settle, { concurrency });
}
