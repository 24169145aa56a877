import { orphanReaper } from './orphan-reaper.ts';

/**
 * Kills the process group that a process leads: the process, unless it has already exited, and the processes that it
 * started. Windows has no process groups, so only the process itself is killed there.
 */
export function killGroup(leader: number): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 'SIGKILL');
  } catch {
    // All processes of the group have already exited.
  }
}

/**
 * Kills the rest of a process group after its leader has exited, as AWS does when it resets an environment, and
 * removes the group from the reaper.
 */
export function endGroup(leader: number): void {
  if (process.platform !== 'win32') killGroup(leader);
  orphanReaper.delete(leader);
}
