import { expect, it } from 'vitest';
import { publishLog } from '../../../../lambdas/support/monitoring/publish-log.ts';
import type { DeadLetter } from '../../../../src/core/event/dead-letter.ts';

const letter = (n: number): DeadLetter => ({
  id: `letter-${n}`,
  reason: 'the bus rejected "Ada Lovelace"',
  at: '2026-01-01T00:00:00.000Z',
  modelId: 'orders',
  transactionId: 'O-1',
  eventId: null,
  partitionKey: 'O-1',
  parked: null,
  isNotification: true,
  raw: Buffer.from('Ada Lovelace'),
});

function logged() {
  const lines: object[] = [];
  const counts: number[] = [];
  const write = (line: object) => void lines.push(line);
  const log = publishLog({ warn: write, error: write }, (count) => counts.push(count));
  return { lines, counts, log };
}

it("the publisher's log lists and counts rejected notifications without their content", () => {
  const { lines, counts, log } = logged();
  log.refused([letter(1)]);
  expect(lines).toEqual([
    { message: 'notifications rejected', letter: 'letter-1', model: 'orders', transaction: 'O-1' },
  ]);
  expect(counts).toEqual([1]);
});

it("the publisher's log lists at most twenty notifications of a batch and counts the other notifications", () => {
  const { lines, counts, log } = logged();
  log.refused(Array.from({ length: 50 }, (_, n) => letter(n)));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toEqual({ message: 'notifications rejected: more', count: 30 });
  expect(counts).toEqual([50]);
});

it("the publisher's log counts the records that must be redelivered and contains the reason", () => {
  const { lines, log } = logged();
  log.failures(7, 'Rate exceeded');
  expect(lines).toEqual([{ message: 'notifications to retry', count: 7, reason: 'Rate exceeded' }]);
});
