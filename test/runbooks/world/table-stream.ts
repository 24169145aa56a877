import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { commitPrefix, partitionOf } from '../../../src/aws/instances/instance-keys.ts';
import type { Shell } from './shell.ts';

type Item = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/** The parts of a service that are needed to pass commits to the archiver. */
export interface TableStreamDependencies {
  readonly shell: Shell;
  readonly lambda: LambdaClient;
  /** The name of the archiver's function. */
  readonly archiver: string;
}

/**
 * Passes the commits of an instance to the archiver once, as its event source mapping would. The local service has no
 * mapping for the archiver.
 *
 * @returns true if the archiver archived all of them
 */
export async function passCommits(
  { shell, lambda, archiver }: TableStreamDependencies,
  instance: { readonly model: string; readonly transaction: string },
): Promise<boolean> {
  const values = { ':pk': { S: partitionOf(instance) }, ':sk': { S: commitPrefix } };
  const { Items } = JSON.parse(
    await shell.run(`aws dynamodb query --table-name "$(output InstancesTable)" --output json \
      --key-condition-expression 'pk = :pk AND begins_with(sk, :sk)' \
      --expression-attribute-values '${JSON.stringify(values)}'`),
  ) as { readonly Items: readonly Item[] };
  const Records = Items.map(
    ({ pk, sk, ...others }, index): DynamoDBRecord => ({
      eventName: 'INSERT',
      dynamodb: {
        Keys: { pk: pk!, sk: sk! },
        NewImage: { pk: pk!, sk: sk!, ...others },
        SequenceNumber: String(index + 1),
      },
    }),
  );
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({ FunctionName: archiver, Payload: JSON.stringify({ Records }) }),
  );
  if (FunctionError !== undefined) return false;
  const { batchItemFailures } = JSON.parse(
    Buffer.from(Payload!).toString(),
  ) as DynamoDBBatchResponse;
  return batchItemFailures.length === 0;
}
