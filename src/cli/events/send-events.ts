import { halvesOf } from '../../common/chunks.ts';
import { type ApiClient, ApiError, messageWithRemedy } from '../client/api-client.ts';
import { responses } from '../client/responses.ts';
import { EventBatch } from './event-batch.ts';
import type { EventLine, InvalidLine, ParsedLine } from './event-lines.ts';
import { LineReader } from './line-reader.ts';

/** The result of sending the events in a file. */
export interface SendSummary {
  accepted: number;
  refused: number;
  /** The line where sending stopped, and the reason. Every earlier line was accepted or rejected. */
  stopped?: { readonly line: number; readonly reason: string };
}

/** Callbacks that report the progress of sending. */
export interface SendListener {
  /**
   * Called before a batch is sent. Sending waits until the returned promise resolves, and stops if it rejects with an
   * `ApiError`.
   */
  sending(events: readonly EventLine[]): Promise<void>;
  accepted(events: readonly EventLine[]): void;
  refused(line: InvalidLine): void;
  /** Called after each batch, with the totals so far. */
  progress(sent: SendSummary): void;
}

/**
 * Sends events in order, one batch at a time, with only one batch in memory. If events arrive slowly, sends a batch
 * before it is full. The API accepts a batch entirely or not at all, so the valid events in a rejected batch are sent
 * again without the invalid events. Sending stops if the file cannot be read, if the network or the service fails, or
 * if it is interrupted. `stopped` then contains the reason.
 *
 * @param interrupted stops reading when it is aborted. The lines that have been read are still sent.
 */
export async function sendEvents(
  api: ApiClient,
  events: AsyncIterable<ParsedLine>,
  listener: SendListener,
  interrupted: AbortSignal,
): Promise<SendSummary> {
  const sent: SendSummary = { accepted: 0, refused: 0 };
  const reader = new LineReader(events);
  let batch = new EventBatch();
  let nextLine = 1;
  let isAtEnd = false;

  const flush = async () => {
    const { good, bad } = batch;
    batch.end();
    batch = new EventBatch();
    const result = await sendBatch(api, good, listener);
    listener.accepted(result.accepted);
    const end = result.stopped?.line ?? Infinity;
    const refused = [...bad, ...result.refused].filter(({ line }) => line < end);
    for (const line of refused.toSorted((a, b) => a.line - b.line)) listener.refused(line);
    sent.accepted += result.accepted.length;
    sent.refused += refused.length;
    sent.stopped = result.stopped;
    listener.progress(sent);
  };

  const endBatch = () => batch.end();
  interrupted.addEventListener('abort', endBatch);
  try {
    while (!isAtEnd && !interrupted.aborted) {
      const line = await reader.nextUntil(batch.due);
      isAtEnd = line === undefined;
      if (line === undefined) continue;
      if (line === 'due' || !batch.hasRoomFor(line)) await flush();
      if (sent.stopped) return sent;
      if (line === 'due') continue;
      nextLine = line.line + 1;
      batch.add(line);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await flush();
    sent.stopped ??= { line: nextLine, reason: `cannot continue reading: ${error.message}` };
    return sent;
  } finally {
    interrupted.removeEventListener('abort', endBatch);
  }
  await flush();
  if (!isAtEnd) sent.stopped ??= { line: nextLine, reason: 'interrupted' };
  return sent;
}

interface BatchSummary {
  readonly accepted: EventLine[];
  readonly refused: InvalidLine[];
  stopped?: { readonly line: number; readonly reason: string };
}

async function sendBatch(
  api: ApiClient,
  batch: readonly EventLine[],
  listener: SendListener,
): Promise<BatchSummary> {
  const result: BatchSummary = { accepted: [], refused: [] };
  const groups = batch.length > 0 ? [batch] : [];
  try {
    await listener.sending(batch);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...result, stopped: stoppedAt(batch, error) };
  }
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    try {
      // The requests are sequential because the events of an instance must arrive in order.
      const body = `[${group.map(({ json }) => json).join(',')}]`;
      const answer = await api.post('/events', { body });
      const { accepted } = answer.read(responses.accepted);
      result.accepted.push(...group.slice(0, accepted));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!concernsEvents(error)) return { ...result, stopped: stoppedAt(group, error) };
      const { refused, again } = sendWithoutRefused(group, error);
      result.refused.push(...refused);
      groups.unshift(...again);
    }
  }
  return result;
}

const stoppedAt = ([first]: readonly EventLine[], error: ApiError) => ({
  line: first?.line ?? 1,
  reason: messageWithRemedy(error),
});

/**
 * Returns true if only some of the events in a request may have caused the error. A 400 response from another server,
 * such as a TLS server that receives plain HTTP, says nothing about the events. A proxy may reject only large requests
 * (413).
 */
const concernsEvents = ({ code, status }: ApiError) =>
  status === 413 || (status === 400 && code === 'refused');

/**
 * Removes from a group the events that the service rejected. If the service did not identify the rejected events,
 * splits the group into halves.
 */
function sendWithoutRefused(group: readonly EventLine[], error: ApiError) {
  const reasons = new Map(error.refusals.map(({ index, detail }) => [index, detail]));
  const named = group.flatMap(({ line }, i) => {
    const reason = reasons.get(i);
    return reason === undefined ? [] : [{ line, reason }];
  });
  if (named.length > 0) {
    const rest = group.filter((_, i) => !reasons.has(i));
    return { refused: named, again: rest.length > 0 ? [rest] : [] };
  }
  const [only] = group;
  if (group.length === 1 && only !== undefined)
    return { refused: [{ line: only.line, reason: error.message }], again: [] };
  return { refused: [], again: halvesOf(group) };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
