import { type Use, useOf } from './processes/process-tree.ts';
import type { Role } from './side.ts';

/** The resources that the processes of a system used. */
export interface Used {
  readonly cpuSeconds: Readonly<Partial<Record<Role, number>>>;
  /**
   * The sum of the peak memory of all processes except the client. Memory shared by processes of the same program is
   * counted once.
   */
  readonly peakBytes: number;
}

const betweenLooksMs = 500;

/** Samples processes periodically so that the usage includes processes that exit before the measurement ends. */
export class Meter implements Disposable {
  readonly #processes: () => ReadonlyMap<number, Role>;
  readonly #before = new Map<number, number>();
  readonly #last = new Map<number, { role: Role; use: Use }>();
  readonly #timer: NodeJS.Timeout;

  constructor(processes: () => ReadonlyMap<number, Role>) {
    this.#processes = processes;
    this.#look();
    for (const [pid, { use }] of this.#last) this.#before.set(pid, use.cpuSeconds);
    this.#timer = setInterval(() => this.#look(), betweenLooksMs);
  }

  /** Returns the CPU time used since the meter was created, and the peak memory since each process started. */
  read(): Used {
    this.#look();
    const cpuSeconds: Partial<Record<Role, number>> = {};
    let own = 0;
    const shared = new Map<string, number>();
    for (const [pid, { role, use }] of this.#last) {
      const cpu = use.cpuSeconds - (this.#before.get(pid) ?? 0);
      cpuSeconds[role] = (cpuSeconds[role] ?? 0) + cpu;
      if (role === 'client') continue;
      own += use.peakBytes;
      shared.set(use.program, Math.max(shared.get(use.program) ?? 0, use.sharedBytes));
    }
    return { cpuSeconds, peakBytes: [...shared.values()].reduce((a, b) => a + b, own) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const [pid, role] of this.#processes()) {
      const use = useOf(pid);
      if (use !== undefined) this.#last.set(pid, { role, use });
    }
  }
}
