import { Stack, Token } from 'aws-cdk-lib';
import { CfnStream, type Stream } from 'aws-cdk-lib/aws-kinesis';

/**
 * Makes synthesis fail if an earlier stream of the app has the same name in the same account and region, because the
 * deployment would fail. By default, all trackers have streams of the same name. Streams in different stacks are not
 * compared if an account or region is unknown, because each stack may be deployed to a different one.
 */
export function requireUniqueName(stream: Stream): void {
  stream.node.addValidation({
    validate: () => {
      const resource = stream.node.defaultChild as CfnStream;
      const { name } = resource;
      const first = stream.node.root.node
        .findAll()
        .find(
          (construct) =>
            construct instanceof CfnStream &&
            construct.name === name &&
            isDeployedTogether(Stack.of(construct), resource.stack),
        );
      if (!first || first === resource) return [];
      const stack = Stack.of(first);
      const owner = stack === resource.stack ? 'the stack' : `the stack ${stack.stackName}`;
      return [
        `${owner} already has a stream with the name "${name}"; set a different \`streamName\` for each tracker`,
      ];
    },
  });
}

/** Returns true if two stacks certainly have the same account and region. */
function isDeployedTogether(one: Stack, other: Stack): boolean {
  if (one === other) return true;
  return isSame(one.account, other.account) && isSame(one.region, other.region);
}

const isSame = (one: string, other: string) => one === other && !Token.isUnresolved(one);
