import { isDeepStrictEqual } from 'node:util';
import { decodeEvent } from '../../src/core/event/event.ts';
import type { OutgoingRecord } from '../../src/stream/event-stream.ts';
import { must } from './accounts.ts';
import type { Call, Reply } from './http-call.ts';

/** The members of response bodies that the tests check. */
interface Body {
  readonly title?: unknown;
  readonly status?: unknown;
  readonly detail?: unknown;
  readonly errors?: readonly { readonly index: number; readonly detail: string }[];
  readonly accepted?: number;
  readonly redriven?: number;
}

/**
 * Checks that a response conforms to the contract: it has an expected status, and it is JSON or, for status 204 and
 * HEAD requests, empty.
 */
export function checkReply(call: Call, reply: Reply, put: readonly OutgoingRecord[]): void {
  const { status, contentType } = reply;
  must([200, 202, 204, 400, 404, 405].includes(status), () => `answered ${status} ${reply.body}`);
  if (status === 204 || call.method === 'HEAD') {
    must(reply.body === '', () => `the body must be empty: ${reply.body}`);
    must(call.method === 'DELETE' || put.length === 0, () => `put ${put.length}`);
    return;
  }
  const body = JSON.parse(reply.body) as Body;
  if (status >= 400) checkProblem(reply, body);
  else
    must(
      contentType.startsWith('application/json'),
      () => `the response has the content type ${contentType}`,
    );
  if (body.accepted !== undefined) checkAccepted(call, body.accepted, put);
  // One record redrives all parked events of an instance.
  else if (body.redriven)
    must(
      put.length >= 1 && put.length <= body.redriven,
      () => `put ${put.length} records, but responded with ${reply.body}`,
    );
  else must(put.length === 0, () => `put ${put.length} records, but responded with ${reply.body}`);
}

function checkProblem({ status, contentType }: Reply, body: Body): void {
  const { title, detail, errors = [] } = body;
  must(
    contentType === 'application/problem+json',
    () => `the response with status ${status} has the content type ${contentType}`,
  );
  const texts = [title, detail, ...errors.map((each) => each.detail)];
  const indexes = errors.map(({ index }) => index);
  must(
    texts.every((text) => typeof text === 'string' && text !== '' && text.isWellFormed()) &&
      body.status === status &&
      isDeepStrictEqual(
        indexes,
        [...new Set(indexes)].toSorted((a, b) => a - b),
      ),
    () => `the body is not an RFC 9457 problem: ${JSON.stringify(body)}`,
  );
}

/** Checks that the stream contains exactly the events of the call, valid and in order for each transaction. */
function checkAccepted(call: Call, accepted: number, put: readonly OutgoingRecord[]): void {
  must(accepted === put.length, () => `accepted ${accepted} events, but put ${put.length} records`);
  const sent = JSON.parse(new TextDecoder().decode(call.body)) as unknown;
  const kept = put.map(({ data }) => JSON.parse(Buffer.from(data).toString()) as unknown);
  const events = Array.isArray(sent) ? sent : [sent];
  must(inOrder(kept) === inOrder(events), () => `put ${JSON.stringify(kept)}`);
  for (const { partitionKey, data } of put) {
    const checked = decodeEvent(data, 0);
    must(checked.ok, () => `accepted an invalid event: ${Buffer.from(data).toString()}`);
    must(partitionKey.length <= 256 && partitionKey !== '', () => `the key ${partitionKey}`);
  }
}

/** Formats events as JSON, grouped by transaction and otherwise in the given order. */
function inOrder(events: readonly unknown[]): string {
  const byTransaction = Map.groupBy(events as readonly SentEvent[], (each) => each.transactionid);
  return JSON.stringify([...byTransaction].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface SentEvent {
  readonly transactionid: string;
}
