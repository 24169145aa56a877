import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { onTestFinished } from 'vitest';
import type { Endpoint } from '../../../src/aws-local/endpoints/index.ts';

const settings = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
};

export function dynamoDbOf({ url }: Endpoint): DynamoDBClient {
  return new DynamoDBClient({ ...settings, endpoint: url });
}

/** Creates a Kinesis client that uses HTTP/2, which is the default. */
export function kinesisOf({ url }: Endpoint): KinesisClient {
  const client = new KinesisClient({ ...settings, endpoint: url });
  onTestFinished(() => client.destroy());
  return client;
}

/** Sends JSON that the AWS SDK would not send. Returns the response. */
export async function sendJson({ url }: Endpoint, target: string, body: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': `application/x-amz-json-${target.startsWith('Kinesis') ? '1.1' : '1.0'}`,
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=s',
    },
    body,
  });
  return { status: response.status, body: await response.json() };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a started endpoint, which is closed when the test ends. */
export async function running(starting: Promise<Endpoint>): Promise<Endpoint> {
  const endpoint = await starting;
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** Kills the endpoint's process with SIGKILL and waits until it has exited. */
export async function kill(endpoint: Endpoint): Promise<void> {
  process.kill(endpoint.pid ?? 0, 'SIGKILL');
  await endpoint.exited;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
