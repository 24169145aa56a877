import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { instancePath, Service } from '../../support/service/service.ts';

interface Instance {
  readonly status: string;
  readonly done: boolean;
  readonly progress: number;
  readonly parked: number;
  readonly timers: { name: string; dueAt: string }[];
  readonly state: object;
}
interface Model {
  readonly functionArn: string;
}

let service: Service;
let register: (entry: object) => Promise<unknown>;
beforeAll(async () => {
  service = await Service.start({ MILEPOST_DATA: await deployedFolder() });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const { dynamodb: endpoint, region } = service.ready;
  const database = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames } = await database.send(new ListTablesCommand({}));
  const TableName = TableNames!.find((name) => name.includes('Registry'));
  register = (entry) => database.send(new PutItemCommand({ TableName, Item: marshall(entry) }));
});
afterAll(() => service.stop());

const event = (modelid: string, transactionid: string, type: string, data: object = {}) => ({
  id: `${type}-${transactionid}`,
  modelid,
  transactionid,
  type,
  data,
});
const submitted = (work: string, device: string, name: string) =>
  event('new-device', work, 'activation.submitted', { device, service: name, token: 'MTOB1J' });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const until = (model: string, transaction: string, status: string) =>
  service.eventually<Instance>(
    instancePath(model, transaction),
    (instance) => instance.status === status,
  );

describe('a new-device work item', () => {
  it('becomes Stuck if a step has no outcome, and continues after the activation model is repaired', async () => {
    const { body: activation } = await service.ask<Model>('/api/models/activation');
    await register({ ...activation, functionArn: `${activation.functionArn}Gone` });
    await service.post({ ...submitted('W-stuck', 'ATV-1', 'CNN'), time: minutesAgo(5) });
    const stuck = await until('new-device', 'W-stuck', 'Stuck');
    expect(stuck.state).toMatchObject({ last_step: 'provision', attempts: 3, stuck: true });
    expect(stuck.timers).toEqual([]);
    const { state } = await service.eventually<Instance>(instancePath('offers', 'CNN'), () => true);
    expect(state).toEqual({ devices: ['ATV-1'] });

    await service.post(event('new-device', 'W-stuck', 'work.restarted'));
    const restarted = await until('new-device', 'W-stuck', 'provision');
    expect(restarted.timers).toHaveLength(1);
    const device = instancePath('activation', 'ATV-1');
    await service.eventually<Instance>(device, ({ parked }) => parked === 4);

    await register(activation);
    await service.ask(`${device}/redrive`, { method: 'POST' });
    const ended = await until('new-device', 'W-stuck', 'end');
    expect(ended.timers).toEqual([]);
    const { state: account } = await until('activation', 'ATV-1', 'Active');
    expect(account).toMatchObject({ app: { CNN: { status: 'Active', token: 'MTOB1J' } } });
  });

  it('completes even if its timers are already due when they start', async () => {
    await service.post({ ...submitted('W-old', 'ATV-2', 'CNN'), time: minutesAgo(60) });
    const { timers } = await until('new-device', 'W-old', 'end');
    expect(timers).toEqual([]);
    await until('activation', 'ATV-2', 'Active');
  });
});

describe('a new device on the running service', () => {
  it('receives its service and is added to the offers', async () => {
    await service.post(submitted('W-1', 'ATV-3', 'NBC Sports'));
    const ended = await until('new-device', 'W-1', 'end');
    expect(ended).toMatchObject({
      done: true,
      progress: 1,
      timers: [],
      state: {
        queue: 'new-device',
        service: 'NBC Sports',
        device: 'ATV-3',
        token: 'MTOB1J',
        last_step: 'end',
      },
    });
    const { state } = (await service.ask<Instance>(instancePath('activation', 'ATV-3'))).body;
    expect(state).toMatchObject({ app: { 'NBC Sports': { status: 'Active', token: 'MTOB1J' } } });
    await service.eventually<Instance>(
      instancePath('offers', 'NBC Sports'),
      (offers) => JSON.stringify(offers.state) === '{"devices":["ATV-3"]}',
    );
    const { body } = await service.ask<{ entries: { status: string }[] }>(
      `${instancePath('new-device', 'W-1')}/history`,
    );
    expect(body.entries.map(({ status }) => status)).toEqual(['provision', 'entitlement', 'end']);
  });

  it('receives several services concurrently and is listed once for each service', async () => {
    const services = ['A', 'B', 'C', 'D'];
    await service.post(...services.map((name) => submitted(`W-${name}`, 'ATV-4', name)));
    for (const name of services) await until('new-device', `W-${name}`, 'end');
    const { state } = await until('activation', 'ATV-4', 'Active');
    expect(Object.keys((state as { app: object }).app).toSorted()).toEqual(services);
    await service.post(submitted('W-A2', 'ATV-4', 'A'));
    await until('new-device', 'W-A2', 'Failed');
    const history = `${instancePath('offers', 'A')}/history`;
    const { entries } = await service.eventually<{ entries: { reason: string | null }[] }>(
      history,
      (body) => body.entries.length === 2,
    );
    expect(entries.map(({ reason }) => reason)).toEqual([null, 'ATV-4 is already listed']);
  });

  it('fails with the reason from the activation model', async () => {
    const request = { service: 'ABC', token: 'OTHER1' };
    await service.post(event('activation', 'ATV-5', 'activation.requested', request));
    const before = await until('activation', 'ATV-5', 'Waiting');
    await service.post(submitted('W-fails', 'ATV-5', 'ABC'));
    const failed = await until('new-device', 'W-fails', 'Failed');
    expect(failed.state).toMatchObject({
      last_step: 'provision',
      reason: 'ABC is already Waiting',
    });
    expect(failed).toMatchObject({ done: false, timers: [] });
    const { state } = (await service.ask<Instance>(instancePath('activation', 'ATV-5'))).body;
    expect(state).toEqual(before.state);
  });
});
