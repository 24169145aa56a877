import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { instancePath, Service } from '../support/service.ts';

const run = promisify(execFile);
const instances = 100;
const total = 5_000;
const batch = 50;
/** One of each process. */
const kills = 3;

/** The service's own process, and those of its endpoints. */
async function processesOf(service: Service): Promise<number[]> {
  const pid = service.process.pid!;
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return [pid, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)];
}

describe('kill -9 of any process while events flow', () => {
  it('loses nothing that was acknowledged, and applies nothing twice', async () => {
    const data = await mkdtemp(join(tmpdir(), 'milepost-kill-'));
    const acknowledged = new Map<string, string[]>();
    let next = 0;
    let service = await Service.start({ MILEPOST_DATA: data });
    // The service's own process, then each endpoint's, at different moments.
    for (let kill = 0; next < total; kill++) {
      const victims = await processesOf(service);
      const killAt = kill < kills ? next + 500 + 50 * kill : Number.POSITIVE_INFINITY;
      try {
        while (next < Math.min(killAt, total)) {
          const events = Array.from({ length: batch }, (_, i) => ({
            id: `k${next + i}`,
            type: 'entitlement.requested',
            modelid: 'activation',
            transactionid: `KILL-${(next + i) % instances}`,
            data: { service: 'none' },
          }));
          const posting = service.post(...events);
          // In the middle of a request, so that nobody knows what became of it.
          if (next + batch >= killAt) process.kill(victims[kill % victims.length]!, 'SIGKILL');
          await posting;
          for (const { id, transactionid } of events)
            acknowledged.set(transactionid, [...(acknowledged.get(transactionid) ?? []), id]);
          next += batch;
        }
      } catch {
        // Not acknowledged: after the restart the same events are posted again.
      }
      if (next >= total) break;
      expect((await service.ended).status).not.toBe(0);
      service = await Service.start({ MILEPOST_DATA: data });
    }
    for (const [transaction, ids] of acknowledged) {
      const path = `${instancePath('activation', transaction)}/history?limit=100`;
      const { entries } = await service.eventually<{ entries: { event: { id: string } }[] }>(
        path,
        (history) => history.entries.length >= ids.length,
      );
      expect(entries.map(({ event }) => event.id)).toEqual(ids);
    }
    expect([...acknowledged.values()].flat()).toHaveLength(total);
    await service.stop();
    await rm(data, { recursive: true, force: true });
  }, 120_000);
});
