import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { kinesisClient } from '../../src/local/running/aws-clients.ts';
import type { ReadyLine } from '../../src/local/stack.ts';
import { startProgram } from '../compare/processes/processes.ts';
import type { Checkout } from './checkout.ts';
import { cpuMs, memoryByProcess } from './process-figures.ts';

/** The measured values of one start of the local service. Times are in milliseconds. */
export interface StartFigures {
  readonly readyMs: number;
  /** The CPU time of all processes until the ready line. */
  readonly readyCpuMs: number;
  /** How long it takes from putting the first event until the API returns its instance. */
  readonly firstStatusMs: number;
  /** The CPU time of all processes between the ready line and the first status. */
  readonly firstStatusCpuMs: number;
  /** The CPU usage of the idle service, in percent of one core. */
  readonly idlePercent: number;
  /** The memory of the idle service, in bytes. */
  readonly idleBytes: number;
  readonly idleByProcess: Readonly<Record<string, number>>;
}

/** When and for how long an idle service is measured, in milliseconds. */
export interface IdleTimes {
  /** How long after the first status the service counts as idle. */
  readonly settleMs: number;
  readonly measureMs: number;
}

/** Starts the service with free ports, puts one event, waits until the service is idle, and stops it. */
export async function measureStart(
  { folder, temporary, node }: Checkout,
  { settleMs, measureMs }: IdleTimes,
): Promise<StartFigures> {
  const ports = ['PORT', 'KINESIS_PORT', 'DYNAMODB_PORT', 'LAMBDA_PORT', 'EVENTBRIDGE_PORT'];
  const began = performance.now();
  await using service = await startProgram(node, [join(folder, 'bin', 'milepost.js'), 'local'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporary,
      ...Object.fromEntries(ports.map((name) => [`MILEPOST_${name}`, '0'])),
    },
  });
  const { pid, process: child } = service;
  const line = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  const readyMs = performance.now() - began;
  if (typeof line[0] !== 'string') throw new Error(`no ready line: ${service.lastWords()}`);
  const readyCpuMs = cpuMs(pid);
  const firstStatusMs = await firstStatus(JSON.parse(line[0]) as ReadyLine);
  const firstStatusCpuMs = cpuMs(pid) - readyCpuMs;
  await pause(settleMs);
  const idleFrom = { cpu: cpuMs(pid), at: performance.now() };
  await pause(measureMs);
  const idlePercent = (100 * (cpuMs(pid) - idleFrom.cpu)) / (performance.now() - idleFrom.at);
  const memory = memoryByProcess(pid);
  return {
    readyMs,
    readyCpuMs,
    firstStatusMs,
    firstStatusCpuMs,
    idlePercent,
    idleBytes: [...memory.values()].reduce((sum, each) => sum + each, 0),
    idleByProcess: Object.fromEntries(memory),
  };
}

/** Puts the first event on the stream and polls the API until the instance exists. */
async function firstStatus({ kinesis, api, stream }: ReadyLine): Promise<number> {
  const client = kinesisClient(kinesis);
  const id = `first-${Date.now()}`;
  const event = { id: 'e1', type: 'account.created', modelid: 'activation', transactionid: id };
  const put = new PutRecordCommand({
    StreamName: stream,
    PartitionKey: id,
    Data: Buffer.from(JSON.stringify(event)),
  });
  const began = performance.now();
  await client.send(put);
  while ((await fetch(`${api}/api/instances/activation/${id}`)).status !== 200) await pause(5);
  const elapsed = performance.now() - began;
  client.destroy();
  return elapsed;
}
