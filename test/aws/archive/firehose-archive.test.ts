import { describe, expect, it } from 'vitest';
import { FirehoseArchive } from '../../../src/aws/archive/firehose-archive.ts';
import type { PutRecordBatchResponse } from '../../../src/aws/client/firehose.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A fake Firehose whose response contains the result of `respond` for each record. */
function archive(respond: (text: string, call: number) => PutRecordBatchResponse = () => ({})) {
  const calls: string[][] = [];
  const clock = new ManualClock();
  const client = {
    putRecordBatch: ({
      Records,
    }: {
      readonly Records: readonly { readonly Data: Uint8Array }[];
    }) => {
      const texts = Records.map(({ Data }) => Buffer.from(Data).toString());
      calls.push(texts);
      return Promise.resolve({
        RequestResponses: texts.map((text) => respond(text, calls.length)),
      });
    },
  };
  const put = (lines: readonly string[]) =>
    clock.runUntil(new FirehoseArchive(client, 'archive', clock).put(lines));
  return { calls, put };
}

describe('FirehoseArchive.put', () => {
  it('puts up to 500 lines into a record and up to four records into a request', async () => {
    const { calls, put } = archive();
    const lines = Array.from({ length: 2_501 }, (_, i) => `{"n":${i}}\n`);
    await put(lines);
    expect(calls.map((records) => records.map((text) => text.split('\n').length - 1))).toEqual([
      [500, 500, 500, 500],
      [500, 1],
    ]);
    expect(calls.flat().join('')).toBe(lines.join(''));
  });

  it('keeps records within the size limit of Firehose', async () => {
    const { calls, put } = archive();
    await put(Array.from({ length: 5 }, () => `${'é'.repeat(200_000)}\n`));
    expect(calls.flat().map((text) => text.split('\n').length - 1)).toEqual([2, 2, 1]);
  });

  it('retries only the rejected records', async () => {
    const { calls, put } = archive((text, call) =>
      text.startsWith('b') && call < 3 ? { ErrorCode: 'ServiceUnavailableException' } : {},
    );
    const large = (letter: string) => `${letter.repeat(900_000)}\n`;
    await put([large('a'), large('b')]);
    expect(calls.map((records) => records.map((text) => text[0]))).toEqual([
      ['a', 'b'],
      ['b'],
      ['b'],
    ]);
  });

  it('fails with `busy` after six attempts', async () => {
    const { calls, put } = archive(() => ({ ErrorCode: 'ServiceUnavailableException' }));
    await expect(put(['a\n'])).rejects.toMatchObject({
      code: 'busy',
      message:
        'Firehose rejected 1 of 1 archive records in 6 attempts: ServiceUnavailableException',
    });
    expect(calls).toHaveLength(6);
  });

  it('sends no request if there are no lines', async () => {
    const { calls, put } = archive();
    await put([]);
    expect(calls).toEqual([]);
  });
});

it.each([{ RequestResponses: undefined }, { RequestResponses: [] }])(
  'FirehoseArchive.put rejects the invalid response %j',
  async (answer) => {
    const client = { putRecordBatch: () => Promise.resolve(answer) };
    await expect(new FirehoseArchive(client, 'archive').put(['line'])).rejects.toThrow(
      'PutRecordBatch returned 0 results for 1 entries',
    );
  },
);
