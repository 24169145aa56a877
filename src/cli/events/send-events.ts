import { answers } from '../client/answers.ts';
import { type ApiClient, ApiError } from '../client/api-client.ts';
import type { EventLine, ReadLine, RefusedLine } from './event-lines.ts';

/** What became of the events of a file. */
export interface Sent {
  accepted: number;
  refused: number;
  /** Where it had to stop: every line before this one is accepted or refused. */
  stopped?: { readonly line: number; readonly reason: string };
}

/** Who wants to hear how it goes. */
export interface Watcher {
  /** Called before events are sent; they are sent when it resolves. */
  sending?(events: readonly EventLine[]): Promise<void>;
  accepted?(events: readonly EventLine[]): void;
  refused(line: RefusedLine): void;
  /** Called after each request's worth of events. */
  progress(sent: Sent): void;
}

// The API takes up to 500 events and 5 MB in one request.
const mostEvents = 500;
const mostBytes = 4_000_000;

/**
 * Sends events in their order, one request at a time. Memory holds one request's worth of them.
 * The API takes an array whole or not at all, so the good ones of a refused array are sent again
 * without the bad ones. What the file or the network does to stop it is returned, not thrown.
 */
export async function sendEvents(
  api: ApiClient,
  events: AsyncIterable<ReadLine>,
  watcher: Watcher,
): Promise<Sent> {
  const sent: Sent = { accepted: 0, refused: 0 };
  let good: EventLine[] = [];
  let bad: RefusedLine[] = [];
  let bytes = 0;
  let nextLine = 1;

  const flush = async () => {
    await watcher.sending?.(good);
    const result = await sendBatch(api, good);
    watcher.accepted?.(result.accepted);
    const end = result.stopped?.line ?? Infinity;
    const refused = [...bad, ...result.refused].filter(({ line }) => line < end);
    for (const line of refused.toSorted((a, b) => a.line - b.line)) watcher.refused(line);
    sent.accepted += result.accepted.length;
    sent.refused += refused.length;
    sent.stopped = result.stopped;
    watcher.progress(sent);
    good = [];
    bad = [];
    bytes = 0;
  };

  try {
    for await (const event of events) {
      const size = 'json' in event ? Buffer.byteLength(event.json) + 1 : 0;
      if (good.length + bad.length === mostEvents || bytes + size > mostBytes) await flush();
      if (sent.stopped) return sent;
      nextLine = event.line + 1;
      bytes += size;
      if ('json' in event) good.push(event);
      else bad.push(event);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await flush();
    sent.stopped ??= { line: nextLine, reason: `cannot read on: ${error.message}` };
    return sent;
  }
  await flush();
  return sent;
}

interface BatchSent {
  readonly accepted: EventLine[];
  readonly refused: RefusedLine[];
  stopped?: { readonly line: number; readonly reason: string };
}

async function sendBatch(api: ApiClient, batch: readonly EventLine[]): Promise<BatchSent> {
  const result: BatchSent = { accepted: [], refused: [] };
  const groups = batch.length > 0 ? [batch] : [];
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    try {
      // An instance's events must arrive in their order, so only one request is under way.
      const body = `[${group.map(({ json }) => json).join(',')}]`;
      const answer = await api.post('/events', { body });
      const { accepted } = answer.read(answers.accepted);
      result.accepted.push(...group.slice(0, accepted));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const line = group[0]?.line ?? 1;
      if (error.status !== 400 && error.status !== 413)
        return { ...result, stopped: { line, reason: error.message } };
      const { refused, again } = withoutBad(group, error);
      result.refused.push(...refused);
      groups.unshift(...again);
    }
  }
  return result;
}

/** Takes the refused events out of a group. Where the service names none, halving finds them. */
function withoutBad(group: readonly EventLine[], error: ApiError) {
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
  const half = Math.ceil(group.length / 2);
  return { refused: [], again: [group.slice(0, half), group.slice(half)] };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
