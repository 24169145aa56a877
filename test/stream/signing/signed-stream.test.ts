import { describe, expect, it } from 'vitest';
import type { OutgoingRecord } from '../../../src/stream/event-stream.ts';
import { RecordsRefusedError } from '../../../src/stream/records-refused-error.ts';
import { SignedStream } from '../../../src/stream/signing/signed-stream.ts';
import { macsOf } from '../../support/data/event-macs.ts';

const record = (id: string): OutgoingRecord => ({
  partitionKey: 'T1',
  sender: 'milepost:counter/T1',
  data: Buffer.from(JSON.stringify({ id })),
});

describe('SignedStream', () => {
  it('reports rejected records as the objects that the caller passed', async () => {
    const stream = {
      put: (records: readonly OutgoingRecord[]) =>
        Promise.reject(new RecordsRefusedError('throttled', records.slice(1))),
    };
    const [first, second] = [record('a'), record('b')];
    const error = await new SignedStream(stream, macsOf()).put([first, second]).catch((e) => e);
    expect(error).toBeInstanceOf(RecordsRefusedError);
    expect([...(error as RecordsRefusedError).refused]).toEqual([second]);
  });

  it('throws any other error from the stream unchanged', async () => {
    const stream = { put: () => Promise.reject(new Error('unreachable')) };
    await expect(new SignedStream(stream, macsOf()).put([record('a')])).rejects.toThrow(
      'unreachable',
    );
  });
});
