import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { instancePath, Service } from '../../test/support/service/service.ts';
import { main, type Section } from '../support/section.ts';
import { median } from '../support/statistics.ts';

export interface ParkingOptions {
  /** The number of events that follow the event on which the model fails. */
  readonly events?: number;
  readonly runs?: number;
}

/**
 * The times of one run, in seconds. Each of `otherInstances` instances has one event. Except for `redrive`, a time
 * starts when the events of these instances are put, together with any events that precede them on the stream, and ends
 * when the events of these instances are applied.
 */
interface Times {
  /** Without other load. */
  readonly idle: number;
  /** If the events follow many events of another instance on the stream, and the model accepts those events. */
  readonly applying: number;
  /** If the events follow as many events of another instance on the stream, and the dispatcher parks those events. */
  readonly parking: number;
  /** If the events are put after the events of the other instance are parked. */
  readonly parked: number;
  /** If the events are put immediately after a redrive is requested. */
  readonly redriving: number;
  /** The time from the redrive request until no event is parked. */
  readonly redrive: number;
}

/** The maximum number of records per PutRecords request. */
const recordsPerPut = 500;
const otherInstances = 20;

/** Measures how long a queue of parked events delays other instances, and how long the redrive of the queue takes. */
export async function run({ events = 3_000, runs = 3 }: ParkingOptions = {}): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-parking-'));
  const service = await Service.start({
    MILEPOST_MODELS: join(import.meta.dirname, 'models'),
    MILEPOST_RELOAD: 'off',
  });
  try {
    const times: Times[] = [];
    for (let n = 0; n < runs; n++)
      times.push(await measure(service, join(folder, `repaired-${n}`), events, `run ${n}`));
    const medianOf = (name: keyof Times) => median(times.map((each) => each[name]));
    return {
      title: 'Parked events',
      tables: [
        {
          title: `${events.toLocaleString('en')} events, seconds`,
          rows: {
            [`${otherInstances} other instances, nothing else on the stream`]: {
              median: medianOf('idle'),
            },
            [`${otherInstances} other instances, queued behind the events that are being applied`]:
              {
                median: medianOf('applying'),
              },
            [`${otherInstances} other instances, queued behind the events that are being parked`]: {
              median: medianOf('parking'),
            },
            [`${otherInstances} other instances, after the events are parked`]: {
              median: medianOf('parked'),
            },
            [`${otherInstances} other instances, while the events are redriven`]: {
              median: medianOf('redriving'),
            },
            'redrive until nothing is parked': { median: medianOf('redrive') },
          },
        },
      ],
      figures: times,
      notes: [`medians of ${runs} runs on the local service`],
    };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function measure(
  service: Service,
  repairedBy: string,
  count: number,
  name: string,
): Promise<Times> {
  const others = (round: string) =>
    Array.from({ length: otherInstances }, (_, n) => event(`${name}, ${round} ${n}`, 'e'));
  const stuck = instancePath('fragile', name);
  const parkedEvents = async () => (await service.ask<{ parked?: number }>(stuck)).body.parked;

  const idle = await seconds(async () => {
    await put(service, others('idle'));
    await applied(service, others('idle'));
  });
  const applying = await seconds(async () => {
    const healthy = Array.from({ length: count }, (_, n) => event(`${name}, healthy`, `e${n}`));
    await put(service, [...healthy, ...others('applying')]);
    await applied(service, others('applying'));
  });
  await put(service, [event(name, 'poison', { repairedBy })]);
  await until(async () => (await parkedEvents()) === 1);
  const queued = Array.from({ length: count }, (_, n) => event(name, `e${n}`));
  const parking = await seconds(async () => {
    await put(service, [...queued, ...others('parking')]);
    await applied(service, others('parking'));
  });
  await until(async () => (await parkedEvents()) === count + 1);
  const parked = await seconds(async () => {
    await put(service, others('parked'));
    await applied(service, others('parked'));
  });
  await writeFile(repairedBy, '');
  let redriving = 0;
  const redrive = await seconds(async () => {
    await service.ask(`${stuck}/redrive`, { method: 'POST' });
    redriving = await seconds(async () => {
      await put(service, others('redriving'));
      await applied(service, others('redriving'));
    });
    await until(async () => (await parkedEvents()) === 0);
  });
  return { idle, applying, parking, parked, redriving, redrive };
}

const event = (transactionid: string, id: string, data: object = {}) => ({
  id,
  type: 'counted',
  modelid: 'fragile',
  transactionid,
  data,
});

async function put(service: Service, events: readonly ReturnType<typeof event>[]): Promise<void> {
  for (let n = 0; n < events.length; n += recordsPerPut) {
    const Records = events.slice(n, n + recordsPerPut).map((each) => ({
      PartitionKey: each.transactionid,
      Data: Buffer.from(JSON.stringify(each)),
    }));
    const { FailedRecordCount } = await service.kinesis.send(
      new PutRecordsCommand({ StreamName: service.ready.stream, Records }),
    );
    if (FailedRecordCount) throw new Error(`the stream rejected ${FailedRecordCount} records`);
  }
}

const applied = (service: Service, events: readonly ReturnType<typeof event>[]) =>
  Promise.all(
    events.map(({ transactionid }) =>
      until(async () => (await service.ask(instancePath('fragile', transactionid))).status === 200),
    ),
  );

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(100);
}

if (import.meta.main) await main(() => run());
