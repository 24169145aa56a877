import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lambdaBuildOptions } from '../../../src/local/bundling/lambda-build-options.ts';
import { modelRegistry, type ShownModel } from '../../support/models/register-models.ts';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { instancePath, Service } from '../../support/service/service.ts';

interface Instance {
  readonly parked: number;
  readonly version: number;
  readonly state: { readonly count: number };
}
interface History {
  readonly entries: { event: { id: string }; outcome: string }[];
}
interface DeadLetters {
  readonly deadLetters: { reason: string; eventId: string; modelId: string }[];
}

/** The faults with the expected reasons in dead letters. Each fault is also the id of the model that has it. */
const faults: readonly [string, RegExp][] = [
  ['throws', /thrown on request/],
  ['hangs', /Sandbox\.Timedout .*Task timed out after 2\.00 seconds/],
  ['grows', /Runtime\.OutOfMemory .*signal: killed/],
  ['exits', /Runtime\.ExitError .*exit status 3/],
  ['nonsense', /returned no valid outcomes: \{"answer":42\}/],
];
const models = [...faults.map(([model]) => model), 'gone'];

let service: Service;
let register: (model: ShownModel) => Promise<void>;
let activation: ShownModel;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-isolation-'));
  await build({
    entryPoints: [fileURLToPath(import.meta.resolve('./failing-model/lambda.ts'))],
    outfile: join(folder, 'index.mjs'),
    ...lambdaBuildOptions,
    outExtension: undefined,
  });
  const functions = faults.map(([name]) => ({
    name,
    codePath: folder,
    timeoutSeconds: name === 'hangs' ? 2 : 10,
    memoryMb: 128,
  }));
  service = await Service.start({
    MILEPOST_DATA: await deployedFolder(),
    NODE_OPTIONS: `--import=${import.meta.resolve('./failing-model/deploy.ts')}`,
    FURTHER_FUNCTIONS: JSON.stringify(functions),
  });
  register = await modelRegistry(service);
  activation = (await service.ask<ShownModel>('/api/models/activation')).body;
  for (const id of models) await register({ ...activation, id, functionArn: arnOf(id) });
  // Post all events in one request so that models share batches and the two instances of a model share an invocation.
  await service.post(
    ...models.flatMap((model) => [
      event(model, 'good', 'g1'),
      event(model, 'bad', 'b1', model),
      { ...event('activation', `beside ${model}`, 'a1'), type: 'account.created' },
    ]),
  );
});
afterAll(async () => {
  expect((await service.stop()).status).toBe(0);
  await rm(folder, { recursive: true });
});

const arnOf = (functionName: string) =>
  activation.functionArn.replace(/[^:]+$/, () => functionName);
const event = (modelid: string, transactionid: string, id: string, how?: string) => ({
  id,
  type: how === undefined ? 'counted' : 'failed',
  modelid,
  transactionid,
  data: { how },
});
const outcomesOf = async (path: string, length: number) => {
  const { entries } = await service.eventually<History>(
    `${path}/history`,
    (history) => history.entries.length >= length,
  );
  return entries.map(({ event: { id }, outcome }) => `${id} ${outcome}`);
};
const parked = (model: string, transaction: string, count: number) =>
  service.eventually<Instance>(
    instancePath(model, transaction),
    (instance) => instance.parked === count,
  );
/**
 * Waits for the dead letters of a model, which are stored after their events are parked. Returns the reasons by event
 * id.
 */
const reasonsOf = async (model: string, count: number) => {
  const ofModel = ({ deadLetters }: DeadLetters) =>
    deadLetters.filter(({ modelId }) => modelId === model);
  const body = await service.eventually<DeadLetters>(
    '/api/dead-letters?limit=100',
    (letters) => ofModel(letters).length >= count,
  );
  return Object.fromEntries(ofModel(body).map(({ eventId, reason }) => [eventId, reason]));
};
const redriven = async (model: string, transaction: string) => {
  await service.ask(`${instancePath(model, transaction)}/redrive`, { method: 'POST' });
  return parked(model, transaction, 0);
};

describe.each(faults)('a faulty model (%s)', (model, reason) => {
  it('causes only the failing event and later events of its instance to be parked', async () => {
    await parked(model, 'bad', 1);
    await service.post(event(model, 'bad', 'b2'));
    expect(await parked(model, 'bad', 2)).toMatchObject({ version: 0, state: null });
    expect(await reasonsOf(model, 2)).toEqual({
      b1: expect.stringMatching(reason),
      b2: 'an earlier event of the instance is parked',
    });
  });

  it('does not block its other instances or other models', async () => {
    await service.post(event(model, 'good', 'g2'));
    const good = await outcomesOf(instancePath(model, 'good'), 2);
    expect(good).toEqual(['g1 applied', 'g2 applied']);
    expect(await outcomesOf(instancePath('activation', `beside ${model}`), 1)).toHaveLength(1);
  });

  it('applies parked events in order after it is repaired', async () => {
    await writeFile(join(folder, `repaired-${model}`), '');
    expect((await redriven(model, 'bad')).state).toEqual({ count: 2 });
    const all = await outcomesOf(instancePath(model, 'bad'), 2);
    expect(all).toEqual(['b1 applied', 'b2 applied']);
  });
});

describe('a model whose function was deleted', () => {
  it('causes its events to be parked but does not block other models', async () => {
    await Promise.all([parked('gone', 'bad', 1), parked('gone', 'good', 1)]);
    expect((await reasonsOf('gone', 2)).b1).toContain('Function not found');
    expect(await outcomesOf(instancePath('activation', 'beside gone'), 1)).toHaveLength(1);
  });

  it('applies its parked events after the function is restored', async () => {
    await register({ ...activation, id: 'gone', functionArn: arnOf('throws') });
    for (const transaction of ['bad', 'good'])
      expect((await redriven('gone', transaction)).state).toEqual({ count: 1 });
  });
});
