import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Sending } from './dynamodb-of.ts';

/** The supported commands; binary attributes are not supported. */
const commands: Readonly<Record<string, (input: never) => object>> = {
  GetItem: (input) => new GetItemCommand(input),
  PutItem: (input) => new PutItemCommand(input),
  DeleteItem: (input) => new DeleteItemCommand(input),
};

/** An HTTP request as the SDK passes it to a handler. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A client of the AWS SDK whose requests go to `client` and not to a network. */
export function sdkClientOf(client: Sending): DynamoDBClient {
  const handle = async ({ headers, body }: SdkRequest) => {
    const operation = headers['x-amz-target']!.split('.').at(-1)!;
    const command = commands[operation];
    if (!command) throw new Error(`not known here: ${operation}`);
    const output = await client.send(command(JSON.parse(new TextDecoder().decode(body)) as never));
    return {
      response: { statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(output)) },
    };
  };
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
    requestHandler: { handle },
  });
}
