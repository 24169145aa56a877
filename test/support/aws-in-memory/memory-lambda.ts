import type { InvokeResponse, Lambda } from '../../../src/aws/client/lambda.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';

export class MemoryLambda implements Lambda {
  /** The existing functions by ARN. */
  readonly functions = new Map<string, (payload: string) => InvokeResponse>();

  async invoke(functionArn: string, payload: string): Promise<InvokeResponse> {
    await Promise.resolve();
    const invoked = this.functions.get(functionArn);
    if (invoked) return invoked(payload);
    const message = `Function not found: ${functionArn}`;
    throw new ServiceError('ResourceNotFoundException', message, 404);
  }
}
