import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of asking a model's function to describe itself. The answer is not validated. */
export type DescribeInvocation = InvocationResult<unknown>;

/** Asks a model's function to describe itself. */
export interface ModelDescriber {
  describe(functionArn: string): Promise<DescribeInvocation>;
}
