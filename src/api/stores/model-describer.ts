import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of invoking a model's function to describe itself. The response is not validated. */
export type DescribeInvocation = InvocationResult<unknown>;

/** Invokes a model's Lambda function to describe the model. */
export interface ModelDescriber {
  describe(functionArn: string): Promise<DescribeInvocation>;
}
