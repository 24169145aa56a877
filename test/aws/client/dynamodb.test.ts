import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { dynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { serviceAt } from '../../support/service/service-at.ts';

it.each(['', '{}', '{"message":"from some proxy"}'])(
  'the DynamoDB client rejects the response %j instead of returning no items',
  async (body) => {
    const server = createServer((_, response) => response.end(body));
    await using listening = await listen(server, 0);
    const client = dynamoDb(serviceAt(listening.url));
    await expect(client.query({ TableName: 't' })).rejects.toThrow('Query returned no `Count`');
    await expect(client.scan({ TableName: 't' })).rejects.toThrow('Scan returned no `Count`');
    server.closeAllConnections();
  },
);
