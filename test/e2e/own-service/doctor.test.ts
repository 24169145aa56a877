import { readFileSync } from 'node:fs';
import { ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamoDbClient } from '../../../src/local/running/aws-clients.ts';
import { run } from '../../cli/run.ts';
import { modelRegistry, type ShownModel } from '../../support/models/register-models.ts';
import { instancePath, Service } from '../../support/service/service.ts';

interface DoctorResult {
  readonly status: number;
  readonly checks: Readonly<Record<string, Finding>>;
}
interface Finding {
  readonly state: string;
  readonly detail: string;
  readonly remedy: string | null;
}

const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const page = readFileSync(new URL('../../../docs/reference/checks.md', import.meta.url), 'utf8');

let service: Service;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(async () => {
  await service.stop();
});

async function doctor(): Promise<DoctorResult> {
  const { status, stdout } = await run(['doctor', '--json', '--api', service.ready.api], {
    version,
  });
  const { checks } = JSON.parse(stdout) as { checks: ({ id: string } & Finding)[] };
  return { status, checks: Object.fromEntries(checks.map(({ id, ...found }) => [id, found])) };
}

const states = ({ checks }: DoctorResult) =>
  Object.fromEntries(Object.entries(checks).map(([id, { state }]) => [id, state]));

const created = (modelid: string, transactionid: string) => ({
  id: transactionid,
  type: 'account.created',
  modelid,
  transactionid,
});

/**
 * Runs a printed `aws lambda update-event-source-mapping` command with the SDK, because the AWS CLI may not be
 * installed.
 */
async function runUpdate(command: string): Promise<void> {
  const pattern =
    /^aws lambda update-event-source-mapping --uuid (\S+) --enabled --region (\S+) --endpoint-url (\S+)$/;
  const [, UUID, region, endpoint] = pattern.exec(command) ?? [];
  expect({ region, endpoint }).toEqual({
    region: service.ready.region,
    endpoint: service.ready.lambda,
  });
  await service.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }));
}

it('milepost doctor reports no problems in a new service, and describes its streams as in the reference', async () => {
  const found = await doctor();
  expect(new Set(Object.values(states(found)))).toEqual(new Set(['ok']));
  expect(found.status).toBe(0);
  const shownStreams = [...page.matchAll(/^✔ (\S*stream) +(.+)$/gm)].map(([, id, detail]) => [
    id,
    detail,
  ]);
  expect(shownStreams).toEqual(
    ['stream', 'notification-stream'].map((id) => [id, found.checks[id]!.detail]),
  );
});

it('milepost doctor reports a disabled event source mapping and prints the command that enables it', async () => {
  await service.post(created('activation', 'BEFORE'));
  await service.eventually(instancePath('activation', 'BEFORE'), () => true);
  const { remedy } = (await disabled()).checks.dispatcher!;
  await service.post(created('activation', 'MEANWHILE'));
  expect((await service.ask(instancePath('activation', 'MEANWHILE'))).status).toBe(404);

  await runUpdate(remedy!);
  await service.eventually(instancePath('activation', 'MEANWHILE'), () => true);
  await expect.poll(async () => (await doctor()).status, { timeout: 20_000 }).toBe(0);
});

/**
 * Disables the event source mapping of the dispatcher and waits until `milepost doctor` reports the mapping as
 * disabled.
 */
async function disabled(): Promise<DoctorResult> {
  const { EventSourceMappings } = (await (
    await fetch(`${service.ready.lambda}/2015-03-31/event-source-mappings`)
  ).json()) as { EventSourceMappings: { UUID: string; EventSourceArn: string }[] };
  const isEventStream = ({ EventSourceArn }: { EventSourceArn: string }) =>
    EventSourceArn.endsWith(`/${service.ready.stream}`);
  const UUID = EventSourceMappings.find(isEventStream)!.UUID;
  await service.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  const detail = 'its event source mapping is disabled, so events wait on the stream';
  await expect
    .poll(async () => (await doctor()).checks.dispatcher, { timeout: 20_000 })
    .toMatchObject({ state: 'failed', detail });
  const found = await doctor();
  expect(found.status).toBe(1);
  return found;
}

it('milepost doctor warns about parked events and dead letters, with their reasons', async () => {
  const register = await modelRegistry(service);
  const activation = (await service.ask<ShownModel>('/api/models/activation')).body;
  const functionArn = `${activation.functionArn}Gone`;
  await register({ ...activation, id: 'gone', functionArn });
  await service.post(created('gone', 'T1'), created('nobody', 'T1'));
  await service.eventually<{ parked: number }>(
    instancePath('gone', 'T1'),
    (body) => body.parked === 1,
  );

  await expect
    .poll(async () => states(await doctor()), { timeout: 20_000 })
    .toMatchObject({ parked: 'warning', 'dead-letters': 'warning', clock: 'ok' });
  const { status, checks } = await doctor();
  expect(status).toBe(0);
  expect(checks.parked).toMatchObject({
    detail: expect.stringMatching(/^1 instance has parked events; .*not found/),
    remedy: `milepost list --parked --api ${service.ready.api}`,
  });
  expect(checks['dead-letters']).toMatchObject({
    detail: expect.stringMatching(/^1 dead letter; .*"no such model: nobody"$/),
    remedy: `milepost dead-letters --api ${service.ready.api}`,
  });
});

it('milepost doctor reports a due timer that has not fired', async () => {
  const client = dynamoDbClient(service.ready.dynamodb);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  // The due timer index contains a timer that no commit of this instance contains, so the clock never fires it.
  await client.send(
    new PutItemCommand({
      TableName: TableNames.find((name) => name.includes('Instances')),
      Item: {
        pk: { S: 'activation#OVERDUE' },
        sk: { S: 'STATUS' },
        version: { N: '1' },
        dueShard: { S: 'due#0' },
        dueKey: { S: `${new Date(Date.now() - 600_000).toISOString()}#activation#OVERDUE` },
      },
    }),
  );
  client.destroy();
  const { status, checks } = await doctor();
  expect(status).toBe(1);
  expect(checks.clock).toMatchObject({
    state: 'failed',
    detail:
      'a timer or deadline has been due for 10 minutes; if this does not change within 3 minutes, for example after an import, restart the service',
  });
});

it('milepost doctor reports that the service is not running and prints the command that starts it', async () => {
  await service.stop();
  const { status, checks } = await doctor();
  expect({ status, ids: Object.keys(checks) }).toEqual({ status: 1, ids: ['api'] });
  expect(checks.api).toMatchObject({ state: 'failed', remedy: 'milepost local' });
});
