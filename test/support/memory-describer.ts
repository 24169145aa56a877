import type { DescribeInvocation, ModelDescriber } from '../../src/api/stores/model-describer.ts';

/** Functions that say what they are: those that are named, by their ARN, and no others. */
export class MemoryDescriber implements ModelDescriber {
  readonly answers = new Map<string, DescribeInvocation>();

  async describe(functionArn: string): Promise<DescribeInvocation> {
    await Promise.resolve();
    const gone = { kind: 'failed', reason: `Function not found: ${functionArn}` } as const;
    return this.answers.get(functionArn) ?? gone;
  }
}
