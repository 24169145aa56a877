import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { synthesize } from '../../src/local/template/synthesize.ts';
import { instancePath, Service } from '../support/service/service.ts';
import { python } from './python.ts';

const root = join(import.meta.dirname, '..', '..');
const example = join(root, 'examples', 'python');

/** A folder with three models: the Python example, a Python model that fails on request, and a TypeScript model. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-python-'));
  for (const id of ['library-loan', 'fragile']) {
    await mkdir(join(folder, id));
    await cp(join(example, 'milepost_model.py'), join(folder, id, 'milepost_model.py'));
  }
  await cp(join(example, 'library_loan.py'), join(folder, 'library-loan', 'model.py'));
  await writeFile(join(folder, 'fragile', 'model.py'), fragile);
  await mkdir(join(folder, 'session'));
  const session = JSON.stringify(join(root, 'models', 'session', 'lambda.ts'));
  await writeFile(join(folder, 'session', 'lambda.ts'), `export { handler } from ${session};`);
  // The first synthesis can take a long time.
  await synthesize(process.env);
}, 240_000);
afterAll(() => rm(folder, { recursive: true }));

const fragile = `
import os, sys, time
from milepost_model import Model, accept, serve

class Fragile(Model):
    id = "fragile"
    title = "It breaks when it is told to"
    statuses = ["Whole"]
    event_types = ["told"]

    def transition(self, event, state, first):
        how = event["data"].get("how")
        if how == "raise":
            raise ValueError("told to")
        if how == "exit":
            os._exit(3)
        return accept({"n": state.get("n", 0) + 1})

    def describe(self, state):
        return {"status": "Whole"}

handler = serve(Fragile())
`;

const event = (modelid: string, transactionid: string, type: string, data: object = {}) => ({
  id: `${type}-${JSON.stringify(data)}`,
  source: 'test',
  type,
  modelid,
  transactionid,
  data,
});

describe.skipIf(!python.isThere)(`a Python model on the local service${python.ifNot}`, () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ MILEPOST_MODELS: folder });
  });
  afterAll(() => service.stop());

  it('is registered, applies or rejects events, and declares the business keys that find its instances', async () => {
    const { body } = await service.ask<{ models: { id: string }[] }>('/api/models');
    expect(body.models.map(({ id }) => id)).toEqual(['fragile', 'library-loan', 'session']);
    await service.post(
      event('library-loan', 'L-1', 'book.lent', { book: 'Momo 🐢', member: 'M-7' }),
      event('library-loan', 'L-1', 'book.lost'),
      event('library-loan', 'L-2', 'book.lent', { book: 'Nils', member: 'M-7' }),
      event('library-loan', 'L-2', 'book.returned'),
    );
    const loan = await service.eventually(instancePath('library-loan', 'L-1'), () => true);
    expect(loan).toMatchObject({
      status: 'On loan',
      state: { book: 'Momo 🐢', member: 'M-7' },
      timers: [{ name: 'due' }],
    });
    await service.eventually(
      instancePath('library-loan', 'L-2'),
      ({ status }) => status === 'Returned',
    );
    const history = await service.eventually<{ entries: { outcome: string; reason: string }[] }>(
      `${instancePath('library-loan', 'L-1')}/history`,
      ({ entries }) => entries.length === 2,
    );
    expect(history.entries[1]).toMatchObject({
      outcome: 'rejected',
      reason: 'the model does not accept events of type book.lost',
    });
    // Poll, because a list can return stale data.
    await service.eventually<{ instances: unknown[] }>(
      '/api/instances?key=member:M-7',
      ({ instances }) => instances.length === 2,
    );
  });

  it.each([
    ['raises an exception', 'raise'],
    ['ends the process', 'exit'],
  ])('%s on one event, and only this event is parked, with the reason', async (_, how) => {
    const [poison, well] = [`P-${how}`, `W-${how}`];
    await service.post(
      event('fragile', poison, 'told'),
      event('fragile', well, 'told'),
      event('fragile', poison, 'told', { how }),
      event('fragile', well, 'told', { n: 2 }),
    );
    await service.eventually(instancePath('fragile', well), ({ version, state }) => {
      return Number(version) > 0 && (state as { n: number }).n === 2;
    });
    const parked = await service.eventually(
      instancePath('fragile', poison),
      (body) => body['parked'] === 1,
    );
    expect(parked).toMatchObject({ state: { n: 1 } });
    const { body } = await service.ask<{
      deadLetters: { transactionId: string; reason: string }[];
    }>('/api/dead-letters');
    const letter = body.deadLetters.find(({ transactionId }) => transactionId === poison);
    expect(letter?.reason).toMatch(how === 'raise' ? /ValueError: told to/ : /exit status 3/);
  });
});

describe.skipIf(!python.isThere)(
  `a Python model saved while the service runs${python.ifNot}`,
  () => {
    const saved = (title: string) => fragile.replace('It breaks when it is told to', title);
    const titled = async (service: Service, id: string) =>
      (await service.ask<{ title?: string }>(`/api/models/${id}`)).body.title;

    it('is loaded if it is new or changed, and continues with its previous code if the new code is broken', async () => {
      const models = await mkdtemp(join(tmpdir(), 'milepost-python-'));
      const write = async (id: string, code: string) => {
        await mkdir(join(models, id), { recursive: true });
        await cp(join(example, 'milepost_model.py'), join(models, id, 'milepost_model.py'));
        await writeFile(join(models, id, 'model.py'), code.replace('"fragile"', `"${id}"`));
      };
      await write('fragile', saved('First'));
      const service = await Service.start({ MILEPOST_MODELS: models });
      await write('brittle', saved('New'));
      await write('fragile', saved('Second'));
      await vi.waitFor(
        async () => {
          expect(await titled(service, 'brittle')).toBe('New');
          expect(await titled(service, 'fragile')).toBe('Second');
        },
        { timeout: 20_000, interval: 100 },
      );
      await service.post(event('brittle', 'B-1', 'told'));
      await service.eventually(instancePath('brittle', 'B-1'), ({ status }) => status === 'Whole');
      await write('brittle', 'def handler(:');
      await service.waitForLog(/(the model brittle .*; the previous code stays in use)/);
      await service.post(event('brittle', 'B-2', 'told'));
      await service.eventually(instancePath('brittle', 'B-2'), ({ status }) => status === 'Whole');
      const { status, stderr } = await service.stop();
      await rm(models, { recursive: true });
      expect(status).toBe(0);
      expect(stderr).toMatch(/The model brittle was loaded in \d+ ms/);
      expect(stderr).toMatch(/The model fragile was reloaded in \d+ ms/);
    });
  },
);

describe('the local service without python3', () => {
  it('reports the reason and runs the other models', async () => {
    const path = await mkdtemp(join(tmpdir(), 'milepost-path-'));
    const service = await Service.start({
      MILEPOST_MODELS: folder,
      PATH: [dirname(process.execPath), path].join(':'),
    });
    const { body } = await service.ask<{ models: { id: string }[] }>('/api/models');
    expect(body.models.map(({ id }) => id)).toEqual(['session']);
    const { status, stderr } = await service.stop();
    await rm(path, { recursive: true });
    expect(status).toBe(0);
    expect(stderr).toMatch(/model library-loan cannot run on this machine: .*PATH has no python3/);
  });
});
