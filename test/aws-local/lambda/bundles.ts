import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionDefinition } from '../../../src/aws-local/lambda/function-definition.ts';
import { LambdaHost, type LambdaHostOptions } from '../../../src/aws-local/lambda/lambda-host.ts';
import { afterFile, folderForFile } from '../../support/after-file.ts';

/** Creates a folder whose `index.mjs` has the given source, like the code of a deployed function. */
export async function bundle(source: string, file = 'index.mjs'): Promise<string> {
  const folder = await folderForFile();
  await writeFile(join(folder, file), source);
  return folder;
}

/** Defines a function with the given source or folder. */
export async function define(
  name: string,
  source: string,
  settings: Partial<FunctionDefinition> = {},
): Promise<FunctionDefinition> {
  return {
    name,
    arn: `arn:aws:lambda:eu-west-1:123456789012:function:${name}`,
    runtime: 'nodejs24.x',
    codePath: settings.codePath ?? (await bundle(source)),
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 128,
    ...settings,
  };
}

/**
 * Gives a function a timeout that tests can change: the host reads the timeout when an invocation starts. A test shortens
 * the timeout only for an invocation that never ends, because any other invocation takes longer while the machine is
 * busy.
 */
export function withTimeout(definition: FunctionDefinition): { seconds: number } {
  const timeout = { seconds: definition.timeoutSeconds };
  Object.defineProperty(definition, 'timeoutSeconds', { get: () => timeout.seconds });
  return timeout;
}

/** Creates a host that is closed after the tests of the file. */
export function hostOf(
  functions: FunctionDefinition[],
  options: Partial<LambdaHostOptions> = {},
): LambdaHost {
  const host = new LambdaHost({
    functions,
    runtimeEnvironment: { AWS_REGION: 'eu-west-1' },
    ...options,
  });
  afterFile(() => host.close());
  return host;
}

/** Invokes a function and parses the payload. */
export async function call(
  host: LambdaHost,
  functionName: string,
  event: unknown = {},
): Promise<{ result: unknown; functionError?: string; log: string }> {
  const answer = await host.invoke({
    functionName,
    payload: JSON.stringify(event),
    logTail: true,
  });
  return {
    result: JSON.parse(answer.payload),
    functionError: answer.functionError,
    log: Buffer.from(answer.logResult ?? '', 'base64').toString(),
  };
}
