import { setTimeout as pause } from 'node:timers/promises';
import { type KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { Put } from '../plan/put.ts';
import { nextBatch } from './batches.ts';
import type { SentPut } from './journal.ts';

const requestTimeoutMs = 15_000;
const retryPauseMs = 300;

/** The ways to send a record to the service. */
export interface Inlets {
  readonly api: string;
  readonly kinesis: KinesisClient;
  readonly stream: string;
}

/**
 * Sends the records of one producer in order when they are due. Retries until they are acknowledged, except for records
 * that the producer sends only once.
 */
export async function produce(
  sent: readonly SentPut[],
  inlets: Inlets,
  { startedAt, signal }: { readonly startedAt: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let next = 0; next < sent.length; ) {
    const queue = sent.slice(next, next + 200);
    const count = nextBatch(queue, performance.now() - startedAt);
    if (count === 0) {
      await pause(Math.max(1, startedAt + queue[0]!.put.at - performance.now()), undefined, {
        signal,
      });
      continue;
    }
    await sendUntilAcknowledged(queue.slice(0, count), inlets, signal);
    next += count;
  }
}

async function sendUntilAcknowledged(
  batch: readonly SentPut[],
  inlets: Inlets,
  signal: AbortSignal,
): Promise<void> {
  const puts = batch.map(({ put }) => put);
  for (;;) {
    signal.throwIfAborted();
    for (const each of batch) each.attempts += 1;
    const isAcknowledged = await (puts[0]!.way === 'api' ? post : putRecords)(puts, inlets);
    if (isAcknowledged) for (const each of batch) each.isAcknowledged = true;
    if (isAcknowledged || !puts[0]!.isRetried) return;
    await pause(retryPauseMs);
  }
}

/** @throws Error if the API rejects an event, because all planned events are valid */
async function post(puts: readonly Put[], { api }: Inlets): Promise<boolean> {
  const body = `[${puts.map(({ bytes }) => bytes.toString()).join()}]`;
  const response = await fetch(`${api}/api/events`, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(requestTimeoutMs),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (response?.status === 400) throw new Error(`the API rejected valid events: ${text}`);
  return response?.status === 202 && text !== undefined;
}

async function putRecords(puts: readonly Put[], { kinesis, stream }: Inlets): Promise<boolean> {
  const Records = puts.map(({ bytes, partitionKey }) => ({
    Data: bytes,
    PartitionKey: partitionKey,
  }));
  try {
    const command = new PutRecordsCommand({ StreamName: stream, Records });
    const { FailedRecordCount } = await kinesis.send(command, {
      abortSignal: AbortSignal.timeout(requestTimeoutMs),
    });
    return FailedRecordCount === 0;
  } catch {
    return false;
  }
}
