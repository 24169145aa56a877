import { connect } from 'node:net';
import { freePort } from '../../../test/support/free-port.ts';
import { findProgram } from '../processes/find-program.ts';
import { startProgram, untilReady } from '../processes/processes.ts';
import type { Side } from '../side.ts';
import { runOnStore } from '../store/store-client.ts';

/** Defines a Redis system with the given `appendfsync` setting, which determines when Redis syncs writes to disk. */
const redis = (name: string, appendfsync: 'everysec' | 'always', disk: string): Side => ({
  name,
  facts: {
    disk,
    duplicates: 'not detected: a repeated event is applied again',
    interleaving:
      '32 connections, each with one event at a time and two round trips per event; events of an instance use the same connection, so that no WATCH ever fails (a hot instance has one connection)',
    otherwise:
      'no stream, no history, no lists; the application itself creates the events; app side: the application',
  },
  async missing() {
    return (await findProgram('redis-server')) === undefined
      ? 'redis-server is not installed (Debian: apt-get install redis-server)'
      : undefined;
  },
  paced: false,
  does: (_, mode) => mode === 'each',
  async start(folder) {
    const port = await freePort();
    const settings = {
      bind: '127.0.0.1',
      port: String(port),
      dir: folder,
      save: '',
      appendonly: 'yes',
      appendfsync,
    };
    const server = await startProgram(
      (await findProgram('redis-server'))!,
      Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
    );
    await untilReady(server, () => answers(port));
    return runOnStore('redis', `redis://127.0.0.1:${port}`, { ...server, role: 'server' });
  },
});

export const redisEverySecond = redis(
  'redis',
  'everysec',
  'append-only file, synced once per second: a power failure loses up to one second of acknowledged writes',
);
export const redisAlways = redis(
  'redis-always',
  'always',
  'append-only file, synced before each acknowledgment (for all connections together)',
);

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
