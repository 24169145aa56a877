import { setTimeout as pause } from 'node:timers/promises';
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { instancePath, Service } from '../../test/support/service/service.ts';

/*
 * Concurrently puts 2,000 reservations by 500 users for one sports event, and then the payments for all accepted
 * reservations. Prints the numbers of accepted and rejected reservations, the times, and the numbers of tickets, which
 * show whether a ticket was sold twice. Usage: `npx node bench/load/tickets.ts`
 */
const available = 1000;
const users = 500;
const perUser = 4;
const event = 'Mens 100m Final';

interface SportsEvent {
  readonly version: number;
  readonly state: {
    readonly available: number;
    readonly reservations: Readonly<Record<string, { readonly qty: number }>>;
    readonly sold_to: readonly { readonly who: string; readonly qty: number }[];
    readonly pending: readonly unknown[];
  };
}
interface History {
  readonly entries: readonly { event: { id: string; type: string }; outcome: string }[];
  readonly cursor?: string;
}

const service = await Service.start();
const { kinesis } = service;
const path = instancePath('tickets', event);
const time = new Date().toISOString();

async function put(records: readonly { id: string; type: string; data: object }[]): Promise<void> {
  for (let n = 0; n < records.length; n += 250)
    await kinesis.send(
      new PutRecordsCommand({
        StreamName: service.ready.stream,
        Records: records.slice(n, n + 250).map((record) => ({
          PartitionKey: event,
          Data: Buffer.from(
            JSON.stringify({ ...record, modelid: 'tickets', transactionid: event, time }),
          ),
        })),
      }),
    );
}

async function until(wanted: (now: SportsEvent) => boolean): Promise<SportsEvent> {
  for (;;) {
    const { body, status } = await service.ask<SportsEvent>(path);
    if (status === 200 && wanted(body)) return body;
    await pause(20);
  }
}

async function outcomes(type: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const { body } = await service.ask<History>(`${path}/history?limit=100${cursor}`);
    for (const entry of body.entries.filter((each) => each.event.type === type))
      counts.set(entry.outcome, (counts.get(entry.outcome) ?? 0) + 1);
    if (!body.cursor) return counts;
    cursor = `&cursor=${body.cursor}`;
  }
}

const total = (now: SportsEvent) =>
  now.state.available +
  [...Object.values(now.state.reservations), ...now.state.sold_to].reduce(
    (sum, { qty }) => sum + qty,
    0,
  );

await put([{ id: 'created', type: 'event.created', data: { available } }]);
await until(() => true);

const start = performance.now();
const asked = Array.from({ length: users * perUser }, (_, i) => ({
  id: `r${i}`,
  type: 'tickets.reserved',
  data: { who: `user-${i % users}`, qty: 1 + (i % 5) },
}));
// Put the records in four concurrent sequences of requests, each with a quarter of the records.
const quarter = asked.length / 4;
await Promise.all([0, 1, 2, 3].map((q) => put(asked.slice(q * quarter, (q + 1) * quarter))));
await put([{ id: 'last', type: 'tickets.purchased', data: { who: 'last', qty: available + 1 } }]);
for (let count = 0; count < 1; await pause(20))
  count = [...(await outcomes('tickets.purchased')).values()].reduce((sum, n) => sum + n, 0);
const reservedIn = performance.now() - start;
const held = await until(() => true);
const reserved = await outcomes('tickets.reserved');

const paying = Object.keys(held.state.reservations);
await put(paying.map((who) => ({ id: `pay ${who}`, type: 'payment.authorized', data: { who } })));
const sold = await until(
  ({ state }) => Object.keys(state.reservations).length === 0 && state.pending.length === 0,
);
const all = performance.now() - start;
const tickets = sold.state.sold_to.reduce((sum, { qty }) => sum + qty, 0);
console.log(
  `${asked.length} concurrent reservations by ${users} users: ${reserved.get('applied')} accepted, ${reserved.get('rejected')} rejected, in ${(reservedIn / 1000).toFixed(1)} s;`,
  `${tickets} of ${available} tickets sold to ${sold.state.sold_to.length}, paid and posted to every customer after ${(all / 1000).toFixed(1)} s, in ${sold.version} commits;`,
  `${sold.state.available} left; available + held + sold: ${total(held)} before payment, ${total(sold)} after`,
);
await service.stop();
