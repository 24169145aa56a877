import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { instancePath, Service } from '../../support/service/service.ts';

const run = promisify(execFile);
const instances = 60;
const total = 5_000;
const batch = 100;
/** The processes to kill, each with part of its command line. */
const endpoints = ['dynalite-process', 'kinesalite-process'];
const environments = 'Modelsactivation';
const victims = ['service', ...endpoints, environments];

/** Returns the id of the service's process, or the ids of its child processes whose command lines contain `victim`. */
async function processesOf(service: Service, victim: string): Promise<number[]> {
  const own = service.process.pid!;
  if (victim === 'service') return [own];
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,args=']);
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return processes
    .filter(
      ([, parent, ...command]) => Number(parent) === own && command.join(' ').includes(victim),
    )
    .map(([pid]) => Number(pid));
}

describe('kill -9 of the service, of an endpoint, or of the function of a model, during traffic', () => {
  it('loses no acknowledged event and applies no event twice', async () => {
    const data = await deployedFolder();
    const acknowledged = new Map<string, string[]>();
    let next = 0;
    let service = await Service.start({ MILEPOST_DATA: data });
    /** Posts events up to the given number, and kills the given processes during the last request. */
    const postUntil = async (end: number, kill: readonly number[] = []) => {
      while (next < end) {
        const events = Array.from({ length: batch }, (_, i) => ({
          id: `k${next + i}`,
          type: 'entitlement.requested',
          modelid: 'activation',
          transactionid: `KILL-${(next + i) % instances}`,
          data: { service: 'none' },
        }));
        const posting = service.post(...events);
        if (next + batch >= end) for (const pid of kill) process.kill(pid, 'SIGKILL');
        await posting;
        for (const { id, transactionid } of events)
          acknowledged.set(transactionid, [...(acknowledged.get(transactionid) ?? []), id]);
        next += batch;
      }
    };
    for (const [index, victim] of victims.entries()) {
      // The service starts the process of a model's function when the model's first event arrives.
      await postUntil(next + batch);
      const pids = await vi.waitFor(async () => {
        const found = await processesOf(service, victim);
        expect(found).not.toEqual([]);
        return found;
      }, 10_000);
      // Retry unacknowledged events, with the same ids.
      await postUntil(next + 150 + batch * index, pids).catch(() => {});
      if (victim === environments) continue;
      expect((await service.ended).status).not.toBe(0);
      service = await Service.start({ MILEPOST_DATA: data });
    }
    await postUntil(total);
    for (const [transaction, ids] of acknowledged) {
      const path = `${instancePath('activation', transaction)}/history?limit=100`;
      const { entries } = await service.eventually<{ entries: { event: { id: string } }[] }>(
        path,
        (history) => history.entries.length >= ids.length,
      );
      expect(entries.map(({ event }) => event.id)).toEqual(ids);
    }
    expect([...acknowledged.values()].flat()).toHaveLength(total);
    expect((await service.stop()).status).toBe(0);
  }, 120_000);
});
