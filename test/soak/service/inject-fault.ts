import { setTimeout as pause } from 'node:timers/promises';
import { childProcessesOf, killProcess } from '../../support/child-processes.ts';
import type { Fault } from '../plan/faults.ts';
import { redriveAll } from './redrive-all.ts';
import { reshard } from './reshard.ts';
import type { World } from './world.ts';

/**
 * Waits until the service is ready, and injects a fault of the plan. Waits until a full disk is cleared, but not until
 * a slow endpoint or a killed process recovers.
 *
 * @returns a description of what happened, which the report contains
 */
export async function injectFault(world: World, fault: Fault): Promise<string> {
  const { service, disk } = world;
  await service.ready();
  switch (fault.kind) {
    case 'kill':
      return kill(world, fault);
    case 'restart':
      await service.stop({ isLast: false });
      return 'stopped the service with SIGTERM';
    case 'split':
    case 'merge':
      return reshard(world.kinesis, world.stream, fault);
    case 'slow':
      void world.proxies[fault.endpoint].slowDown(fault.slowness, fault.ms);
      return `${fault.endpoint} ${fault.slowness} for ${fault.ms} ms`;
    case 'clock':
      await world.setClock(fault.offsetMs);
      return `clock wrong by ${Math.round(fault.offsetMs / 1000)} s`;
    case 'full-disk': {
      const { pid, starts } = service;
      // After an exit, the service may start with the remaining bytes and exit again when it has used them up.
      await service.expectExitsDuring(async () => {
        await disk.fill(pid, fault.spareBytes);
        await pause(fault.ms);
        await disk.clear(service.pid);
        await service.ready();
      });
      const consequence = service.starts > starts ? 'the service exited' : 'the service continued';
      return `disk full for ${fault.ms} ms with ${fault.spareBytes} bytes left: ${consequence}`;
    }
    case 'repair':
      await world.repair(fault.wave);
      return `repaired the model for wave ${fault.wave}; redrove ${await redriveAll(world.api)} instances`;
  }
}

async function kill(
  { service }: World,
  { victim, which }: Extract<Fault, { kind: 'kill' }>,
): Promise<string> {
  if (victim === 'service') {
    service.kill();
    return 'killed the service';
  }
  const children = service.pid === undefined ? [] : await childProcessesOf(service.pid);
  const found = children.filter(({ command }) => command.includes(victim));
  const { pid, command } = found[which % found.length] ?? {};
  if (pid === undefined || command === undefined) return `no process ${victim} to kill`;
  if (victim !== 'environment-runtime') service.expectExit();
  killProcess(pid);
  return `killed ${/"functionName":"([^"]+)"/.exec(command)?.[1] ?? victim}`;
}
