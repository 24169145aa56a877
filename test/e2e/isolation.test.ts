import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelRegistry, type ShownModel } from '../support/register-models.ts';
import { instancePath, Service } from '../support/service.ts';

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

/** What goes wrong, which is the model's id too, and what the dead letter of it says. */
const wrongs: readonly [string, RegExp][] = [
  ['throws', /told to throw/],
  ['loops', /Sandbox\.Timedout .*Task timed out after 1\.00 seconds/],
  ['grows', /Runtime\.OutOfMemory .*signal: killed/],
  ['exits', /Runtime\.ExitError .*exit status 3/],
  ['nonsense', /answered no outcomes: \{"answer":42\}/],
];
const models = [...wrongs.map(([model]) => model), 'gone'];

let service: Service;
let register: (model: ShownModel) => Promise<void>;
let activation: ShownModel;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-isolation-'));
  await build({
    entryPoints: [fileURLToPath(import.meta.resolve('./failing-model/lambda.ts'))],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
  });
  const functions = models.map((name) => ({
    name,
    codePath: folder,
    environment: {},
    timeoutSeconds: 1,
    memoryMb: 128,
  }));
  const mended = { name: 'mended', codePath: folder, environment: { MENDED: 'yes' } };
  service = await Service.start({
    NODE_OPTIONS: `--import=${import.meta.resolve('./failing-model/deploy.ts')}`,
    FURTHER_FUNCTIONS: JSON.stringify([...functions.filter(({ name }) => name !== 'gone'), mended]),
  });
  register = await modelRegistry(service);
  activation = (await service.ask<ShownModel>('/api/models/activation')).body;
  for (const id of models) await register({ ...activation, id, functionArn: arnOf(id) });
  // All at once, so that they share batches: each model's two instances its invokes too.
  await service.post(
    ...models.flatMap((model) => [
      event(model, 'bad', 'b1'),
      event(model, 'good', 'g1'),
      event(model, 'bad', 'b2', model),
      event(model, 'good', 'g2'),
      event(model, 'bad', 'b3'),
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
const reasonsOf = async (model: string) => {
  const { body } = await service.ask<DeadLetters>('/api/dead-letters?limit=100');
  const letters = body.deadLetters.filter(({ modelId }) => modelId === model);
  return Object.fromEntries(letters.map(({ eventId, reason }) => [eventId, reason]));
};
const mendAndRedrive = async (model: string, transaction: string) => {
  await register({ ...activation, id: model, functionArn: arnOf('mended') });
  await service.ask(`${instancePath(model, transaction)}/redrive`, { method: 'POST' });
  return parked(model, transaction, 0);
};

describe.each(wrongs)('a model that goes wrong: %s', (model, reason) => {
  it('parks the instance that it fails on, from that event on', async () => {
    const instance = await parked(model, 'bad', 2);
    expect(instance).toMatchObject({ version: 1, state: { count: 1 } });
    expect(await outcomesOf(instancePath(model, 'bad'), 1)).toEqual(['b1 applied']);
    expect(await reasonsOf(model)).toEqual({
      b2: expect.stringMatching(reason),
      b3: 'an earlier event of the instance is parked',
    });
  });

  it('goes on with its other instances, and so do other models', async () => {
    const good = await outcomesOf(instancePath(model, 'good'), 2);
    expect(good).toEqual(['g1 applied', 'g2 applied']);
    expect(await outcomesOf(instancePath('activation', `beside ${model}`), 1)).toHaveLength(1);
  });

  it('applies what is parked when it is mended, in order', async () => {
    expect((await mendAndRedrive(model, 'bad')).state).toEqual({ count: 3 });
    const all = await outcomesOf(instancePath(model, 'bad'), 3);
    expect(all).toEqual(['b1 applied', 'b2 applied', 'b3 applied']);
  });
});

describe('a model whose function is gone', () => {
  it('parks everything of its own, and holds up no other model', async () => {
    await Promise.all([parked('gone', 'bad', 3), parked('gone', 'good', 2)]);
    expect((await reasonsOf('gone')).b1).toContain('Function not found');
    expect(await outcomesOf(instancePath('activation', 'beside gone'), 1)).toHaveLength(1);
  });

  it('applies it when it is back, in order', async () => {
    for (const [transaction, count] of [
      ['bad', 3],
      ['good', 2],
    ] as const)
      expect((await mendAndRedrive('gone', transaction)).state).toEqual({ count });
    const all = await outcomesOf(instancePath('gone', 'good'), 2);
    expect(all).toEqual(['g1 applied', 'g2 applied']);
  });
});
