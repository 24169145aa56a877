import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { marshall } from '@aws-sdk/util-dynamodb';
import { instancePath, Service } from '../../test/support/service/service.ts';

/*
 * Tests high load and limits on the local service, and reports the memory of the Lambda functions. Runs all tests by
 * default. Usage: `npx node bench/load/limits.ts [hot] [many] [large] [models]`
 */
const wanted = new Set(process.argv.slice(2));
const service = await Service.start();
const { kinesis, lambda } = service;

const event = (
  modelid: string,
  transactionid: string,
  id: string,
  type: string,
  data: object = {},
) => ({ modelid, transactionid, id, type, data });

async function put(events: readonly ReturnType<typeof event>[]): Promise<void> {
  const Records = events.map((each) => ({
    PartitionKey: each.transactionid,
    Data: Buffer.from(JSON.stringify(each)),
  }));
  const { FailedRecordCount } = await kinesis.send(
    new PutRecordsCommand({ StreamName: service.ready.stream, Records }),
  );
  if (FailedRecordCount) throw new Error(`${FailedRecordCount} records were rejected`);
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);

async function memory(): Promise<string> {
  const { Functions } = await lambda.send(new ListFunctionsCommand({}));
  const used: string[] = [];
  for (const [name, payload] of [
    ['Dispatcher', '{"Records":[]}'],
    ['activation', '{"op":"describe"}'],
  ] as const) {
    const FunctionName = Functions!.find((each) => each.FunctionName!.includes(name))!.FunctionName;
    const answer = await lambda.send(
      new InvokeCommand({ FunctionName, LogType: 'Tail', Payload: payload }),
    );
    const log = Buffer.from(answer.LogResult!, 'base64').toString();
    used.push(`${name} ${/Max Memory Used: (\d+ MB)/.exec(log)?.[1]}`);
  }
  return used.join(', ');
}

async function historyLength(path: string): Promise<{ entries: number; requests: number }> {
  let entries = 0;
  let requests = 0;
  for (let cursor = ''; ; requests++) {
    const { body } = await service.ask<{ entries: unknown[]; cursor?: string }>(
      `${path}/history?limit=100${cursor}`,
    );
    entries += body.entries.length;
    if (!body.cursor) return { entries, requests: requests + 1 };
    cursor = `&cursor=${body.cursor}`;
  }
}

/** Waits without a time limit until an instance exists. */
async function applied(path: string): Promise<void> {
  while ((await service.ask(path)).status !== 200) await pause(100);
}

async function report(name: string, run: () => Promise<string>): Promise<void> {
  if (wanted.size > 0 && !wanted.has(name)) return;
  const result = await run();
  console.log(`${name}: ${result}; memory: ${await memory()}`);
}

await report('hot', async () => {
  const rate = 1000;
  const total = 60 * rate;
  const start = performance.now();
  for (let n = 0; n < total; n += 100) {
    const behind = n / rate - (performance.now() - start) / 1000;
    if (behind > 0) await pause(behind * 1000);
    await put(
      Array.from({ length: 100 }, (_, i) =>
        event('activation', 'HOT', `h${n + i}`, 'entitlement.requested', { service: 'none' }),
      ),
    );
  }
  const putIn = seconds(start);
  const drained = performance.now();
  const last = event('activation', 'HOT', 'last', 'activation.requested', { service: 'done' });
  await put([last]);
  await service.eventually(instancePath('activation', 'HOT'), (body) => body.status === 'Waiting');
  const drain = seconds(drained);
  const reading = performance.now();
  const { entries, requests } = await historyLength(instancePath('activation', 'HOT'));
  const { version } = (await service.ask(instancePath('activation', 'HOT'))).body;
  return `${total} events of one instance put in ${putIn} s, all applied ${drain} s later in ${String(version)} commits; a history of ${entries} entries read in ${seconds(reading)} s and ${requests} requests`;
});

await report('many', async () => {
  const total = 100_000;
  const start = performance.now();
  for (let n = 0; n < total; n += 500)
    await put(
      Array.from({ length: 500 }, (_, i) =>
        event('activation', `MANY-${n + i}`, 'e1', 'account.created'),
      ),
    );
  const putIn = seconds(start);
  for (let n = 0; n < total; n += 997) await applied(instancePath('activation', `MANY-${n}`));
  await applied(instancePath('activation', `MANY-${total - 1}`));
  const appliedIn = seconds(start);
  const times: number[] = [];
  for (let i = 0; i < 40; i++) {
    const asked = performance.now();
    const query = ['', '&model=activation', '&status=New&model=activation', `&q=MANY-${i}77`][
      i % 4
    ];
    await service.ask(`/api/instances?limit=25${query}`);
    times.push(performance.now() - asked);
  }
  times.sort((a, b) => a - b);
  return `${total} instances put in ${putIn} s, applied within ${appliedIn} s; lists of 25: median ${times[20]!.toFixed(0)} ms, max ${times.at(-1)!.toFixed(0)} ms`;
});

await report('large', async () => {
  const start = performance.now();
  const requests = Array.from({ length: 4200 }, (_, i) =>
    event('activation', 'LARGE', `l${i}`, 'activation.requested', { service: `service ${i}` }),
  );
  for (let n = 0; n < requests.length; n += 500) await put(requests.slice(n, n + 500));
  const path = instancePath('activation', 'LARGE');
  let version = -1;
  for (let now = 0; now !== version || now === 0; await pause(5_000)) {
    version = now;
    now = Number((await service.ask(path)).body.version ?? 0);
  }
  const took = seconds(start + 5_000);
  const { body } = await service.ask<{ state: object; version: number }>(path);
  const bytes = Buffer.byteLength(JSON.stringify(body.state));
  return `a state of ${bytes} bytes built by ${requests.length} events in ${took} s and ${body.version} commits`;
});

await report('models', async () => {
  const { dynamodb: endpoint, region } = service.ready;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const database = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames } = await database.send(new ListTablesCommand({}));
  const TableName = TableNames!.find((name) => name.includes('Registry'));
  const { body } = await service.ask('/api/models/activation');
  const ids = Array.from({ length: 200 }, (_, i) => `model-${i}`);
  for (const id of ids)
    await database.send(new PutItemCommand({ TableName, Item: marshall({ ...body, id }) }));
  const start = performance.now();
  for (let round = 0; round < 5; round++)
    for (let n = 0; n < ids.length; n += 100)
      await put(
        ids.slice(n, n + 100).map((id) => event(id, `M-${round}`, 'e1', 'account.created')),
      );
  for (const id of ids) await service.eventually(instancePath(id, 'M-4'), () => true);
  return `200 models with 5 instances each applied in ${seconds(start)} s`;
});

await service.stop();
