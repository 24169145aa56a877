import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lambda } from '../../../src/aws/client/lambda.ts';
import { answerCustomResource } from '../../../src/aws/registry/custom-resource.ts';
import { describeModel } from '../../../src/aws/registry/describe-model.ts';
import type { FunctionDefinition } from '../../../src/aws-local/lambda/function-definition.ts';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { bundleModel } from '../../../src/local/user-models/bundle-model.ts';
import { modelProblem } from '../../../src/local/user-models/check-model.ts';
import { modelResourceHandler } from '../../../src/registrar/model-resource.ts';
import { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';

/** The source of a model with a sensitive field that its events do not contain. */
const source = `
import * as v from ${JSON.stringify(resolve('node_modules/valibot'))};
import { accept, defineModel, serve } from ${JSON.stringify(resolve('index.ts'))};
const booking = defineModel({
  id: 'booking', title: 'A booking', statuses: ['Open'],
  events: { 'name.given': v.object({ name: v.nullable(v.string()), seat: v.string() }) },
  initial: () => ({}), transition: (event, state) => accept(state), describe: () => ({ status: 'Open' }),
  sensitive: { events: { 'name.given': ['nmae'] } },
});
export const handler = serve(booking);
`;
const said =
  'model "booking": sensitive.events["name.given"]: "nmae" matches no field of the event\'s schema. ' +
  'Did you mean "name"? The schema has name, seat.';

let root: string;
let host: LambdaHost;
let definition: FunctionDefinition;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'milepost-wrong-path-'));
  const entry = join(root, 'lambda.ts');
  await writeFile(entry, source);
  const { codePath } = await bundleModel({ id: 'booking', entry }, join(root, 'bundles'));
  const name = 'booking';
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
  definition = {
    name,
    arn,
    runtime: 'nodejs24.x',
    handler: 'index.handler',
    codePath,
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: {},
  };
  host = new LambdaHost({ functions: [definition], runtimeEnvironment: {} });
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

describe('a model whose sensitive path matches no field', () => {
  it('is rejected by the local service with the reason', async () => {
    const reason = await modelProblem(host, 'booking', definition);
    expect(reason).toContain(`the model booking does not load: MilepostError: ${said} (`);
    expect(reason).toMatch(/lambda\.ts:4:17\)$/);
  });

  it('fails its deployment with the reason', async () => {
    const invoked = createInvokeServer(host).listen(0, '127.0.0.1');
    const answers: Promise<unknown>[] = [];
    const cloudFormation = createServer((request, response) => {
      answers.push(json(request));
      response.end();
    }).listen(0, '127.0.0.1');
    await Promise.all([once(invoked, 'listening'), once(cloudFormation, 'listening')]);
    const url = (server: typeof invoked) =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = lambda({
      endpoint: url(invoked),
      region: 'us-east-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    });
    const registry = new ModelRegistryInMemory();
    const ports = {
      describeModel: describeModel(client),
      registry: registry.writer,
      partitions: { begin: () => Promise.resolve() },
      clock: systemClock,
    };
    const request = {
      RequestType: 'Create' as const,
      ResponseURL: url(cloudFormation),
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Registration',
      ResourceProperties: { ModelId: 'booking', FunctionArn: definition.arn },
    };
    await answerCustomResource(request, modelResourceHandler(ports), { timeout: 60_000 });
    expect(await Promise.all(answers)).toMatchObject([
      {
        Status: 'FAILED',
        Reason: `the function booking could not describe itself: MilepostError: ${said}`,
      },
    ]);
    expect(await registry.list()).toEqual([]);
    for (const server of [invoked, cloudFormation]) {
      server.close();
      server.closeAllConnections();
    }
  });
});
