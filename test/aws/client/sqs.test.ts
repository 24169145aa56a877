import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { sqs } from '../../../src/aws/client/sqs.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';

it('the SQS client sends a batch of delayed messages and returns the rejected messages', async () => {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { 'x-amz-target': target, 'content-type': type } = request.headers;
      requests.push([target, type, JSON.parse(body)]);
      response.end('{"Successful":[],"Failed":[{"Id":"1","Message":"no"}]}');
    });
  });
  await using listening = await listen(server, 0);
  const client = sqs({
    region: 'us-east-1',
    endpoint: listening.url,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const input = {
    QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/wakeups',
    Entries: [{ Id: '1', MessageBody: '{"at":1}', DelaySeconds: 7 }],
  };
  expect(await client.sendMessageBatch(input)).toMatchObject({ Failed: [{ Id: '1' }] });
  expect(requests).toEqual([['AmazonSQS.SendMessageBatch', 'application/x-amz-json-1.0', input]]);
});
