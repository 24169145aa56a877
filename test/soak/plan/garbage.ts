import type { Chance } from '../../../src/common/chance.ts';
import type { Put } from './put.ts';

const maximumEventBytes = 256 * 1024;

/** Creates a record that must become a dead letter. Its bytes are unique, because they contain the name. */
export function garbage(chance: Chance, name: string, how: Pick<Put, 'at' | 'isRetried'>): Put {
  const event = {
    id: name,
    type: 'counted',
    modelid: 'fragile',
    transactionid: 'g',
    data: { n: 1 },
  };
  const text = chance.pick<string | Buffer>([
    `not JSON ${name}`,
    `["${name}"]`,
    JSON.stringify({ ...event, id: undefined, data: name }),
    JSON.stringify({ ...event, transactionid: `${name}\u0000` }),
    JSON.stringify({ ...event, modelid: undefined }),
    JSON.stringify({ ...event, modelid: 'nobody' }),
    JSON.stringify({ ...event, modelid: 'Not An Id' }),
    JSON.stringify({ ...event, source: 'milepost:fragile/other' }),
    JSON.stringify({ ...event, specversion: '0.3' }),
    JSON.stringify({ ...event, time: 'yesterday' }),
    `{"id":"${name}","id":"twice","type":"counted","modelid":"fragile","transactionid":"g","data":1e999}`,
    Buffer.concat([Buffer.from(name), Buffer.from([0xff, 0xfe, 0x00])]),
    JSON.stringify({ ...event, data: 'y'.repeat(maximumEventBytes + chance.whole(0, 140_000)) }),
  ]);
  const partitionKey = `garbage-${chance.whole(0, 99)}`;
  return { ...how, event: undefined, bytes: Buffer.from(text), partitionKey, way: 'kinesis' };
}
