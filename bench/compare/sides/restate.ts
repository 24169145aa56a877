import { join } from 'node:path';
import type { Account } from '../../../models/activation/model.ts';
import { nextMessage, startProgram } from '../processes/processes.ts';
import type { Running, Side } from '../side.ts';
import { callOf, lanes, putCalls, sendCall } from './restate-calls.ts';
import { Ingress } from './restate-ingress.ts';
import { restateBinary, startRestate } from './restate-server.ts';

const facts = {
  disk: 'the log is synced to disk before a send is acknowledged, in groups of sends',
  duplicates: 'an idempotency key per send, kept for one day',
  interleaving: `${lanes} concurrent sends. Sends to the same instance are sequential, except for a hot instance: the calls between the first five and the last are sent concurrently, in no particular order. Five folded: the sender combines an instance's five events into one call`,
  otherwise:
    'an event is a call, kept with its journal for one day. No history of events and no lists by status. A read is also a call to the object, with the latency of a call. App side: the process with the SDK. The client uses HTTP/2.',
};

const restate = (name: string, partitions?: number): Side => ({
  name,
  facts,
  paced: true,
  missing: async () =>
    restateBinary() === undefined ? 'Restate has no binary for this machine' : undefined,
  does: (order, mode) => mode === 'each' || order !== 'rounds',
  start: (folder) => startSide(folder, partitions),
});

export const restateTuned = restate('restate-tuned', 2);
export const restateDefault = restate('restate-default');

async function startSide(folder: string, partitions?: number): Promise<Running> {
  await using started = new AsyncDisposableStack();
  const server = started.use(await startRestate(folder, partitions));
  const service = started.use(
    await startProgram(process.execPath, [join(import.meta.dirname, 'restate-service.ts')], {
      // As in production, do not log every call.
      env: { ...process.env, NODE_ENV: 'production', RESTATE_LOGGING: 'ERROR' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );
  await register(server.admin, Number(await nextMessage(service)));
  const ingress = started.use(new Ingress(server.ingress));
  const running = started.move();
  return {
    processes: () =>
      new Map([
        [service.pid, 'app'],
        [server.pid, 'server'],
        [process.pid, 'client'],
      ]),
    put: (work, mode) => putCalls(ingress, work, mode),
    async send(events) {
      await Promise.all(events.map((event) => sendCall(ingress, callOf(event))));
    },
    async read(transaction) {
      const { status, body } = await ingress.post(`/activation/${transaction}/read`, undefined);
      if (status !== 200) throw new Error(`Restate returned status ${status}: ${body.toString()}`);
      return (JSON.parse(body.toString()) as Account | null) ?? undefined;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function register(admin: string, port: number): Promise<void> {
  const answer = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  if (!answer.ok) throw new Error(`the service could not be registered: ${await answer.text()}`);
}
