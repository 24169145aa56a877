import { DeleteItemCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/cli/replay/audit-summary.ts';
import { run } from '../cli/run.ts';
import { modelRegistry, type ShownModel } from '../support/models/register-models.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface List {
  readonly instances: { transaction: string; status: string }[];
}
interface Instance {
  readonly status: string;
  readonly version: number;
}

const service = sharedService();
const model = 'rebuilt';
let register: (model: ShownModel) => Promise<void>;
let database: DynamoDBClient;
beforeAll(async () => {
  register = await modelRegistry(service);
  const { dynamodb: endpoint, region } = service.ready;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  database = new DynamoDBClient({ endpoint, region, credentials });
});
afterAll(() => database.destroy());

/** Registers the model with the code of a shipped model. */
async function deploy(code: string): Promise<void> {
  const { body } = await service.ask<ShownModel>(`/api/models/${code}`);
  await register({ ...body, id: model });
}

async function replay(...more: string[]): Promise<AuditReport> {
  const argv = ['replay', '--api', service.ready.api, '--json', '--model', model, ...more];
  const { status, stdout, stderr } = await run(argv);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as AuditReport;
}

async function deleteRow(transaction: string): Promise<void> {
  const { TableNames = [] } = await database.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.includes('Instances'));
  const Key = { pk: { S: `${model}#${transaction}` }, sk: { S: 'STATUS' } };
  await database.send(new DeleteItemCommand({ TableName, Key }));
}

const list = `/api/instances?model=${model}`;
const path = instancePath(model, 'T1');

describe('milepost replay on a running service', () => {
  it('restores lost status rows and rebuilds states with the deployed model', async () => {
    await deploy('activation');
    const asked = (id: string, transactionid: string) => ({
      ...{ id, type: 'activation.requested', modelid: model, transactionid },
      data: { service: 'NBC', token: 'A' },
    });
    await service.post(asked('e1', 'T1'), asked('e2', 'T2'));
    await service.eventually<List>(list, ({ instances }) => instances.length === 2);
    expect(await replay()).toMatchObject({ audited: 2, different: 0, toRebuild: 0 });

    await deleteRow('T1');
    await service.eventually<List>(list, ({ instances }) => instances.length === 1);
    expect(await replay('--apply')).toMatchObject({
      rows: [{ row: 'missing', count: 1, examples: [{ transaction: 'T1' }] }],
      rebuilding: 1,
    });
    const { instances } = await service.eventually<List>(list, (all) => all.instances.length === 2);
    expect(instances).toMatchObject([{ status: 'Waiting' }, { status: 'Waiting' }]);

    // Deploy a different model with the same id, which rejects these events.
    await deploy('offers');
    const report = await replay();
    expect(report).toMatchObject({
      ...{ audited: 2, different: 2, toRebuild: 2, rebuilding: 0 },
      statuses: [{ before: 'Waiting', after: 'Open', count: 2 }],
      outcomes: [{ turn: 'rejected', type: 'activation.requested', count: 2 }],
    });
    expect((await service.ask<Instance>(path)).body).toMatchObject({ version: 1 });

    // The dispatcher caches the registry for a few seconds, so it may still invoke the old function.
    await expect
      .poll(() => replay('--apply'), { timeout: 20_000, interval: 500 })
      .toMatchObject({ different: 0, rebuilding: 0 });
    await service.eventually<List>(list, (all) =>
      all.instances.every(({ status }) => status === 'Open'),
    );
    expect(await replay('--apply')).toMatchObject({ different: 0, rebuilding: 0 });
    const { body } = await service.ask<{ entries: object[] }>(`${path}/history`);
    expect(body.entries).toMatchObject([
      { event: { id: 'e1' }, status: 'Waiting' },
      { event: { type: 'milepost.rebuild', source: 'milepost:api' }, status: 'Open', version: 2 },
    ]);
  });
});
