import fc from 'fast-check';
import { activation } from '../../../models/activation/model.ts';
import { mapReduce } from '../../../models/map-reduce/model.ts';
import { serviceRequest } from '../../../models/service-request/model.ts';
import { session } from '../../../models/session/model.ts';
import { tickets } from '../../../models/tickets/model.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import { decodeEvent, type TrackedEvent } from '../../../src/core/event/event.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import { numberOrExit, optionsOrExit } from '../../support/options-or-exit.ts';
import { aggregateBytesOf, hostileAggregate } from './hostile-aggregate.ts';
import { bytesOf, hostileJson } from './hostile-json.ts';
import { leastTime, ordinaryTime } from './least-time.ts';

/*
 * Measures the maximum CPU time that a record of 256 KB can take. Decodes many records that are designed to be slow,
 * and applies their events with a shipped model. The limit is a multiple of the time that JSON.parse takes for ordinary
 * JSON of the same size.
 */

const usage = 'usage: npm run fuzz:time -- [--records N] [--from N] [--limit TIMES] | --seed N';
const values = optionsOrExit(
  {
    records: { type: 'string', default: '3000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    limit: { type: 'string', default: '60' },
  },
  usage,
);
const integer = (name: string, text: string) => numberOrExit(name, text, 'an integer', usage);
const { seed } = values;
const from = seed === undefined ? integer('from', values.from) : integer('seed', seed);
const count = seed === undefined ? integer('records', values.records) : 1;
const times = numberOrExit('limit', values.limit, 'greater than 0', usage);
/** The limit in milliseconds, which depends on the machine's speed. */
const limit = times * ordinaryTime();

/** The models and event types, which are assigned to events in turn. */
const models = [
  activation,
  mapReduce,
  serviceRequest,
  session,
  tickets,
] as unknown as readonly Model[];
const applied = models.flatMap((model) =>
  Object.keys(model.events).map((type) => ({ model, type })),
);
const hostile = fc.oneof(
  { weight: 4, arbitrary: hostileJson.map((json) => ({ what: json, bytes: () => bytesOf(json) })) },
  {
    weight: 1,
    arbitrary: hostileAggregate.map((record) => ({
      what: record,
      bytes: () => aggregateBytesOf(record),
    })),
  },
);

/** The slowest case so far of each operation on a record. */
const slowest = { decode: { time: 0, seed: 0, what: '' }, apply: { time: 0, seed: 0, what: '' } };
let tooSlow = 0;
for (let seed = from; seed < from + count; seed++) {
  const [made] = fc.sample(hostile, { seed, numRuns: 1 });
  const bytes = made!.bytes();
  const what = JSON.stringify(made!.what).slice(0, 400);
  const events = decode(bytes);
  took('decode', seed, what, () => decode(bytes));
  if (events.length === 1) {
    const { model, type } = applied[seed % applied.length]!;
    const event = { ...events[0]!, model: model.id, type };
    took('apply', seed, `${model.id} ${type} ${what}`, () => foldEvent(model, undefined, event));
  }
  if ((seed - from + 1) % 1000 === 0) console.error(`${seed - from + 1} of ${count} records`);
}
for (const [name, { time, seed, what }] of Object.entries(slowest))
  console.log(`${name}: at most ${time.toFixed(1)} ms, for record ${seed}: ${what}`);
console.log(
  `${count} records, ${tooSlow} of them took ${limit.toFixed(1)} ms or longer (${times} times as long as ordinary JSON)`,
);
process.exitCode = tooSlow > 0 ? 1 : 0;

function took(name: keyof typeof slowest, seed: number, what: string, work: () => void): void {
  const { time: most } = slowest[name];
  const time = leastTime(Math.min(most, limit), work);
  if (time > most) slowest[name] = { time, seed, what };
  if (time < limit) return;
  tooSlow++;
  console.log(
    `${name} took ${time.toFixed(1)} ms; to repeat the run: npm run fuzz:time -- --seed ${seed}\n  ${what}`,
  );
}

function decode(data: Uint8Array): TrackedEvent[] {
  const position = { shard: 'shardId-000000000000', sequence: '1' };
  const record: StreamRecord = {
    recordId: 'shardId-000000000000:1',
    position,
    partitionKey: 'k',
    arrivedAt: 0,
    data,
  };
  return userRecords(record).records.flatMap((each) => {
    const checked = decodeEvent(each.data, 0);
    return checked.ok ? [checked.event] : [];
  });
}
