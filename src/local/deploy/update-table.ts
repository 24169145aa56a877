import {
  type CreateTableCommandInput,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

/** Enables, disables, or replaces the stream of an existing table. */
export async function updateStream(
  client: DynamoDBClient,
  { TableName, StreamSpecification: wanted }: CreateTableCommandInput,
  existing: TableDescription | undefined,
): Promise<void> {
  const current = existing?.StreamSpecification?.StreamViewType;
  if (current === wanted?.StreamViewType) return;
  // Disable the stream first because the view type of an enabled stream cannot change.
  if (current !== undefined) {
    const StreamSpecification = { StreamEnabled: false };
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  }
  if (wanted !== undefined)
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: wanted }));
}

/** Sets the attribute that contains an item's expiry. If `wanted` is undefined, items no longer expire. */
export async function updateTimeToLive(
  client: DynamoDBClient,
  TableName: string,
  wanted: string | undefined,
): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const current = TimeToLiveDescription?.AttributeName;
  if (current === wanted) return;
  const set = (AttributeName: string, Enabled: boolean) => {
    const TimeToLiveSpecification = { AttributeName, Enabled };
    return client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  };
  if (current !== undefined) await set(current, false);
  if (wanted !== undefined) await set(wanted, true);
}
