import { emittedEvent } from '../../src/core/effects/outgoing-event.ts';
import { withMac } from '../../src/core/event/event-mac.ts';
import { readKeyRing, signingKey } from '../../src/core/event/key-ring.ts';
import { EventMacs } from '../../src/stream/signing/event-macs.ts';
import { KeyRingCache } from '../../src/stream/signing/key-ring-cache.ts';
import { main, type Section } from '../support/section.ts';
import { median } from '../support/statistics.ts';

/** The measured sizes of events' data in bytes. */
const sizes = [100, 1_000, 10_000, 100_000];
const runs = 9;
const eventsInARun = 5_000;
/** The maximum number of records per invocation of the dispatcher. */
const batch = 500;

const ring = JSON.stringify({ 0: 'k'.repeat(64) });

/** CPU times in microseconds per event. */
interface Times {
  readonly sign: number;
  readonly verify: number;
}

/** Measures the CPU time of signing and verifying the events that Milepost itself sends. */
export async function run(): Promise<Section> {
  const figures: (Times & { readonly bytes: number })[] = [];
  for (const size of sizes) figures.push(await timesOf(recordOf(size)));
  return {
    title: 'Signatures',
    tables: [
      {
        title: 'microseconds per event',
        rows: Object.fromEntries(
          figures.map(({ bytes, sign, verify }) => [
            `${bytes} bytes`,
            { sign, verify, both: sign + verify },
          ]),
        ),
      },
    ],
    figures,
    notes: [
      `CPU time, median of ${runs} runs of ${eventsInARun} events, ${batch} at a time; only Milepost's own events are signed and verified`,
    ],
  };
}

async function timesOf(data: Uint8Array): Promise<Times & { bytes: number }> {
  const clock = { now: () => Date.now(), sleep: () => new Promise<void>(() => undefined) };
  const macs = new EventMacs(new KeyRingCache({ read: () => Promise.resolve(ring), clock }));
  const signed = withMac(data, signingKey(readKeyRing(ring), Date.now()));
  const records = Array.from({ length: batch }, () => ({ partitionKey: 'k', data }));
  const sign = () => macs.sign(records);
  const verify = async () => {
    for (let count = 0; count < batch; count++) await macs.findFlaw(signed);
  };
  return { bytes: signed.byteLength, sign: await cpuOf(sign), verify: await cpuOf(verify) };
}

async function cpuOf(ofBatch: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // The first run is a warm-up.
  for (let count = 0; count <= runs; count++) {
    const before = process.cpuUsage();
    for (let events = 0; events < eventsInARun; events += batch) await ofBatch();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / eventsInARun);
  }
  return median(times.slice(1));
}

function recordOf(size: number): Uint8Array {
  const cause = { model: 'tickets', transaction: 'MATCH-1', id: 'e1', source: 's', type: 't' };
  const emit = { kind: 'emit', model: 'customer', transaction: 'Fred', type: 'purchase.recorded' };
  const effect = { ...emit, data: { text: 'x'.repeat(size) } } as const;
  const time = '2026-01-01T00:00:00.000Z';
  const { event } = emittedEvent({ ...cause, time }, effect as never, 7, '0.1');
  return Buffer.from(JSON.stringify(event));
}

if (import.meta.main) await main(() => run());
