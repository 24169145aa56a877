import type { FunctionDefinition } from '../function-definition.ts';
import { memoryCheckIntervalMs, minimumMemoryMb } from '../limits.ts';
import type {
  EnvironmentMessage,
  InvocationMessage,
  ResourceUsage,
} from './environment-protocol.ts';
import { residentBytes } from './resident-bytes.ts';

/** What ends a phase: the process says so, ends, or takes too long. */
export type EnvironmentOutcome =
  | Exclude<EnvironmentMessage, { kind: 'output' }>
  | { kind: 'exited'; status: number | null; signal: NodeJS.Signals | null; outOfMemory: boolean }
  | { kind: 'overdue' };

const killed = { kind: 'exited', status: null, signal: 'SIGKILL' } as const;

/** The process of an execution environment, seen from its host, whatever program it runs. */
export abstract class EnvironmentProcess {
  readonly #memoryBytes: number;
  readonly #write: (text: string) => void;
  #settle: ((waitForOutcome: EnvironmentOutcome) => void) | undefined;
  #end: EnvironmentOutcome | undefined;
  #use: ResourceUsage = { cpuMicroseconds: 0, memoryBytes: 0 };

  /** `write` takes everything that is written in the process. */
  constructor(definition: FunctionDefinition, write: (text: string) => void) {
    this.#write = write;
    this.#memoryBytes = Math.max(definition.memoryMb, minimumMemoryMb) * 1_048_576;
  }

  /** False once the process has ended, is over a limit, or has been told to end. */
  get alive(): boolean {
    return this.#end === undefined;
  }

  /** What the process has used since it was started, as it said last. */
  get resourceUsage(): ResourceUsage {
    return this.#use;
  }

  /** Starts an invocation; its result is the next ending. */
  abstract post(message: InvocationMessage): void;

  /** The end of the present phase. A process over a limit is to be terminated. */
  ending(limitMs: number): Promise<EnvironmentOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.finish({ kind: 'overdue' }), limitMs);
      const watch = setInterval(() => this.#checkMemory(), memoryCheckIntervalMs);
      this.#settle = (ending) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.#settle = undefined;
        resolve(ending);
      };
      if (this.#end !== undefined) this.#settle(this.#end);
    });
  }

  /** Ends the process, whatever it is doing. */
  async terminate(): Promise<void> {
    this.finish({ ...killed, outOfMemory: false });
    await this.kill();
  }

  /** The process, as long as it is there. */
  protected abstract readonly pid: number | undefined;

  /** Ends the process, and resolves when it is gone. */
  protected abstract kill(): Promise<void>;

  /** Takes what the process says. */
  protected receive(message: EnvironmentMessage): void {
    if (message.kind === 'output') {
      this.#write(message.text);
    } else {
      this.#use = message.use;
      this.#settle?.(message);
    }
  }

  /** It ended, or has to. */
  protected finish(ending: EnvironmentOutcome): void {
    this.#end ??= ending;
    this.#settle?.(this.#end);
  }

  #checkMemory(): void {
    if (this.pid === undefined || residentBytes(this.pid) <= this.#memoryBytes) return;
    this.#use = { ...this.#use, memoryBytes: this.#memoryBytes };
    this.finish({ ...killed, outOfMemory: true });
  }
}
