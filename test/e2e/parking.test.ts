import { beforeAll, describe, expect, it } from 'vitest';
import { modelRegistry, type ShownModel } from '../support/models/register-models.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance {
  readonly status: string;
  readonly parked: number;
  readonly version: number;
}
interface DeadLetters {
  readonly deadLetters: { id: string; reason: string; eventId: string; modelId: string }[];
}

const service = sharedService();
let register: (model: ShownModel) => Promise<void>;
let activation: ShownModel;
beforeAll(async () => {
  register = await modelRegistry(service);
  activation = (await service.ask<ShownModel>('/api/models/activation')).body;
});

const event = (modelid: string, transactionid: string, id: string) => ({
  id,
  type: id === 'p1' ? 'account.created' : 'activation.requested',
  modelid,
  transactionid,
  data: { service: id },
});
const letters = async (modelId: string) => {
  const { body } = await service.ask<DeadLetters>('/api/dead-letters?limit=100');
  return body.deadLetters.filter((letter) => letter.modelId === modelId);
};

/** Registers a model whose function does not exist, and sends three events of one instance. */
async function parkThree(model: string): Promise<string> {
  await register({ ...activation, id: model, functionArn: `${activation.functionArn}Gone` });
  await service.post(event(model, 'T1', 'p1'), event(model, 'T1', 'p2'));
  await service.post(event('activation', `beside-${model}`, 'p1'), event(model, 'T1', 'p3'));
  const path = instancePath(model, 'T1');
  await service.eventually<Instance>(path, ({ parked }) => parked === 3);
  // An event is in the queue before its dead letter is stored.
  await service.eventually<DeadLetters>(
    '/api/dead-letters?limit=100',
    ({ deadLetters }) => deadLetters.filter(({ modelId }) => modelId === model).length === 3,
  );
  return path;
}

// The tests run concurrently, because each uses a separate model and waits for three attempts.
describe.concurrent('a model whose function was deleted', () => {
  it('causes its events to be parked but does not block other models', async () => {
    const path = await parkThree('gone');
    await service.eventually(instancePath('activation', 'beside-gone'), () => true);
    expect((await service.ask(path)).body).toMatchObject({
      status: 'Parked',
      version: 0,
      startedAt: null,
      state: null,
    });
    const found = await letters('gone');
    expect(found.map(({ eventId }) => eventId).toSorted()).toEqual(['p1', 'p2', 'p3']);
    expect(found.find(({ eventId }) => eventId === 'p1')?.reason).toContain('not found');
    const { instances } = await service.eventually<{ instances: Instance[] }>(
      '/api/instances?model=gone&status=Parked',
      (list) => list.instances[0]?.parked === 3,
    );
    expect(instances).toMatchObject([{ transaction: 'T1', startedAt: null }]);
  });

  it('applies its parked events once and in order when they are redriven after the repair', async () => {
    const path = await parkThree('repaired');
    await register({ ...activation, id: 'repaired' });
    await service.post(event('repaired', 'T1', 'p4'));
    const { status, body } = await service.ask(`${path}/redrive`, { method: 'POST' });
    expect({ status, body }).toEqual({ status: 202, body: { redriven: expect.any(Number) } });
    const { entries } = await service.eventually<{
      entries: { event: { id: string }; outcome: string }[];
    }>(`${path}/history`, (history) => history.entries.length === 4);
    expect(entries.map((entry) => entry.event.id)).toEqual(['p1', 'p2', 'p3', 'p4']);
    await service.eventually<Instance>(path, ({ parked }) => parked === 0);
    expect(await letters('repaired')).toEqual([]);
  });

  it('leaves its events parked when they are redriven before the repair', async () => {
    const path = await parkThree('broken');
    const { body } = await service.ask(`${path}/redrive`, { method: 'POST' });
    expect(body).toEqual({ redriven: 3 });
    // An instance's records are processed in order, so when the next event is parked, the redrive has already been
    // attempted.
    await service.post(event('broken', 'T1', 'p4'));
    await service.eventually<Instance>(path, ({ parked }) => parked === 4);
    expect((await service.ask(path)).body).toMatchObject({ parked: 4, version: 0 });
  });

  it('continues without an event whose dead letter was deleted', async () => {
    const path = await parkThree('skipped');
    const [first] = (await letters('skipped')).filter(({ eventId }) => eventId === 'p1');
    await register({ ...activation, id: 'skipped' });
    const answer = await fetch(`${service.ready.api}/api/dead-letters/${first!.id}`, {
      method: 'DELETE',
    });
    expect(answer.status).toBe(204);
    const { entries } = await service.eventually<{ entries: { event: { id: string } }[] }>(
      `${path}/history`,
      (history) => history.entries.length === 2,
    );
    expect(entries.map((entry) => entry.event.id)).toEqual(['p2', 'p3']);
  });
});

describe('dead letters with the same reason', () => {
  it('are redriven together after the missing model is registered', async () => {
    await service.post(
      ...['a', 'b', 'c'].map((t) => event('late-model', t, 'p1')),
      event('nobody-here', 'x', 'p1'),
    );
    await service.eventually<DeadLetters>(
      '/api/dead-letters?limit=100',
      ({ deadLetters }) =>
        deadLetters.filter(({ modelId }) => ['late-model', 'nobody-here'].includes(modelId))
          .length === 4,
    );
    await register({ ...activation, id: 'late-model' });
    const reason = encodeURIComponent('no such model: late-model');
    const { status, body } = await service.ask(`/api/dead-letters/redrive?reason=${reason}`, {
      method: 'POST',
    });
    expect({ status, body }).toEqual({ status: 202, body: { redriven: 3 } });
    for (const t of ['a', 'b', 'c'])
      await service.eventually(instancePath('late-model', t), ({ version }) => version === 1);
    expect(await letters('late-model')).toEqual([]);
    expect(await letters('nobody-here')).toHaveLength(1);
  });
});
