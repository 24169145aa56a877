import { CfnElement, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** What a template calls a bucket or a function, which is what findings of cdk-nag call it. */
export function logicalId(construct: Construct): string {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnElement))
    throw new Error(`${construct.node.path} has no resource in it`);
  const stack = Stack.of(construct);
  return stack.resolve(stack.getLogicalId(resource)) as string;
}
