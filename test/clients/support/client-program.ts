import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { dynamoDbClient } from '../../../src/local/running/aws-clients.ts';
import { root } from '../../support/docs/markdown.ts';
import { instancePath } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

export const service = sharedService();
const { ready } = service;

/** The ARN of the stream. The local endpoints accept any region and account. */
export const streamArn = `arn:aws:kinesis:us-east-1:000000000000:stream/${ready.stream}`;

/**
 * The environment variables in docs/how-to/send-events.md that direct a program to the local endpoints, without any
 * other AWS settings.
 */
export const environment: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))),
  AWS_ENDPOINT_URL_KINESIS: ready.kinesis,
  AWS_ENDPOINT_URL_DYNAMODB: ready.dynamodb,
  AWS_ENDPOINT_URL_LAMBDA: ready.lambda,
  AWS_REGION: ready.region,
  AWS_DEFAULT_REGION: ready.region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

/** Copies a folder of the project so that programs can create files in it. */
export async function copyOf(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-client-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await cp(join(root, folder), copy, { recursive: true });
  return copy;
}

/** Runs a program and returns its standard output. If it fails, throws an error with all of its output. */
export async function run(
  folder: string,
  [program, ...words]: readonly [string, ...string[]],
): Promise<string> {
  const options = { cwd: folder, env: environment, maxBuffer: 32 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(program, words, options).catch((error: unknown) => {
    const { stdout: said = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${[program, ...words].join(' ')}\n${said}\n${stderr}`, { cause: error });
  });
  return stdout;
}

export async function instancesTable(): Promise<string> {
  const client = dynamoDbClient(ready.dynamodb);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames.find((name) => name.includes('Instances'))!;
}

/** Waits for devices, which appear soon after their events are put, and returns their statuses. */
export function statusesOf(...devices: readonly string[]): Promise<string[]> {
  const paths = devices.map((device) => instancePath('activation', device));
  return Promise.all(
    paths.map(
      async (path) => (await service.eventually<{ status: string }>(path, () => true)).status,
    ),
  );
}

/** The statuses of `count` devices whose only event is `account.created`. */
export const created = (count: number) => Array.from({ length: count }, () => 'New');

/**
 * Parses the output of a program in `programs/`, which puts a record by ARN, describes and reads the stream, and gets
 * an item.
 */
export function inspectionIn(output: string): unknown {
  // Maven prints lines before the output, even in quiet mode.
  const [json = 'null'] = /\{.*\}/.exec(output) ?? [];
  return JSON.parse(json);
}

/** The expected output of a program in `programs/`. */
export const inspectionOf = (prefix: string) => ({
  stream: ready.stream,
  created: true,
  found: [1, 2, 3, 4, 5].map((number) => `${prefix}-${number}`),
  item: `activation#${prefix}-1`,
});
