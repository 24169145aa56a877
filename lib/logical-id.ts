import { CfnElement, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Returns the logical id of a bucket or function in the template, as it appears in cdk-nag's findings. */
export function logicalId(construct: Construct): string {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnElement))
    throw new Error(`${construct.node.path} contains no resource`);
  const stack = Stack.of(construct);
  return stack.resolve(stack.getLogicalId(resource)) as string;
}
