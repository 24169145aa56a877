import { Stack } from 'aws-cdk-lib';
import { CfnStream, type Stream } from 'aws-cdk-lib/aws-kinesis';

/**
 * Makes the synthesis fail if an earlier stream of the stack has the same name, because the deployment would fail. Two
 * trackers in one stack have the same name by default.
 */
export function requireUniqueName(stream: Stream): void {
  stream.node.addValidation({
    validate: () => {
      const resource = stream.node.defaultChild as CfnStream;
      const { name } = resource;
      const first = Stack.of(stream)
        .node.findAll()
        .find((construct) => construct instanceof CfnStream && construct.name === name);
      return first === resource
        ? []
        : [
            `the stack already has a stream with the name "${name}"; set a different \`streamName\` for each tracker`,
          ];
    },
  });
}
