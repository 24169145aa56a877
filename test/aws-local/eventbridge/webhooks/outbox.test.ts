import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Outbox,
  type PendingMessage,
} from '../../../../src/aws-local/eventbridge/webhooks/outbox.ts';
import { StartError } from '../../../../src/aws-local/server/start-error.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'milepost-outbox-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const message = (id: string, lane = id[0]!) => ({ id, lane, body: `body of ${id}` });
const open = (...webhooks: string[]) => new Outbox(null, webhooks);

/** Takes all messages that are due. Settles each message before taking the next one. */
function drain(outbox: Outbox, webhook: string, now = 0): string[] {
  const ids: string[] = [];
  for (let next = outbox.takeNext(webhook, now); next; next = outbox.takeNext(webhook, now)) {
    ids.push(next.id);
    outbox.settle(next, now);
  }
  return ids;
}

describe('the outbox of webhooks', () => {
  it('returns every message unchanged for each webhook', () => {
    using outbox = open('one', 'two');
    outbox.put([message('a1')], 7);
    const pending = { ...message('a1'), sequence: 1, webhook: 'one', putAt: 7, failures: 0 };
    expect(outbox.takeNext('one', 7)).toEqual(pending);
    expect(outbox.takeNext('two', 7)).toMatchObject({ id: 'a1', webhook: 'two' });
    expect(outbox.takeNext('one', 7)).toBeUndefined();
  });

  it('returns the next message of a lane only when the previous message is settled', () => {
    using outbox = open('w');
    outbox.put([message('a1'), message('b1'), message('a2')], 0);
    const [a1, b1] = [outbox.takeNext('w', 0)!, outbox.takeNext('w', 0)!];
    expect([a1.id, b1.id]).toEqual(['a1', 'b1']);
    expect(outbox.takeNext('w', 0)).toBeUndefined();
    outbox.put([message('a3')], 0);
    expect(outbox.takeNext('w', 0)).toBeUndefined();
    outbox.settle(a1, 0);
    expect(drain(outbox, 'w')).toEqual(['a2', 'a3']);
  });

  it('returns a failed message when its next attempt is due, before other messages of its lane', () => {
    using outbox = open('w');
    outbox.put([message('a1'), message('a2'), message('b1')], 0);
    outbox.retry(outbox.takeNext('w', 0)!, 1_000);
    expect(drain(outbox, 'w', 999)).toEqual(['b1']);
    expect(outbox.nextDue('w')).toBe(1_000);
    const again = outbox.takeNext('w', 1_000)!;
    expect(again).toMatchObject({ id: 'a1', failures: 1 });
    expect(outbox.nextDue('w')).toBeUndefined();
    outbox.settle(again, 1_000);
    expect(outbox.takeNext('w', 1_000)).toMatchObject({ id: 'a2', failures: 0 });
  });

  it('drops a message with the id of a waiting, in-flight, or settled message', () => {
    using outbox = open('w');
    outbox.put([message('a1'), message('a1'), message('a2')], 0);
    const a1 = outbox.takeNext('w', 0)!;
    outbox.put([message('a1'), message('a2')], 0);
    outbox.settle(a1, 0);
    outbox.put([message('a1')], 0);
    expect(drain(outbox, 'w')).toEqual(['a2']);
  });

  it('keeps its messages after a restart, including messages in flight', () => {
    const path = join(folder, 'restart.db');
    const first = new Outbox(path, ['w']);
    first.put([message('a1'), message('a2'), message('b1'), message('c1')], 5);
    first.settle(first.takeNext('w', 5)!, 5);
    const [a2, , c1] = [first.takeNext('w', 5)!, first.takeNext('w', 5), first.takeNext('w', 5)!];
    expect([a2.id, c1.id]).toEqual(['a2', 'c1']);
    first.retry(c1, 1_000_000);
    first[Symbol.dispose]();

    using second = new Outbox(path, ['w']);
    second.put([message('a1')], 6);
    const left: PendingMessage[] = [];
    for (let next = second.takeNext('w', 6); next; next = second.takeNext('w', 6)) left.push(next);
    expect(Object.fromEntries(left.map(({ id, failures }) => [id, failures]))).toEqual({
      a2: 0,
      b1: 0,
      c1: 1,
    });
    expect(left[0]!.putAt).toBe(5);
  });

  it('drops the messages of a webhook that is no longer configured', () => {
    const path = join(folder, 'forget.db');
    const first = new Outbox(path, ['old', 'kept']);
    first.put([message('a1')], 0);
    first[Symbol.dispose]();
    const second = new Outbox(path, ['kept']);
    expect(drain(second, 'kept')).toEqual(['a1']);
    second[Symbol.dispose]();
    using third = new Outbox(path, ['old', 'kept']);
    expect(drain(third, 'old')).toEqual([]);
  });

  it('cannot be opened if its file is damaged, and the error states a remedy', () => {
    const path = join(folder, 'damaged.db');
    writeFileSync(path, 'x'.repeat(4_096));
    expect(() => new Outbox(path, ['w'])).toThrow(
      `${path} cannot be used: file is not a database; restore the file, or delete it to discard the messages that wait for webhooks`,
    );
  });

  it('can be used by only one process', () => {
    const path = join(folder, 'twice.db');
    using first = new Outbox(path, ['w']);
    expect(() => new Outbox(path, ['w'])).toThrow(StartError);
    expect(() => new Outbox(path, ['w'])).toThrow(`${path} cannot be used: database is locked`);
    first.put([message('a1')], 0);
    expect(drain(first, 'w')).toEqual(['a1']);
  });
});
