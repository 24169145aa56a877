import { messageOf } from '../../../common/message-of.ts';
import type { FunctionDefinition } from '../function-definition.ts';
import { memoryCheckIntervalMs, minimumMemoryMb } from '../limits.ts';
import type {
  EnvironmentMessage,
  InvocationMessage,
  ResourceUsage,
} from './environment-protocol.ts';
import { residentBytes } from './resident-bytes.ts';

/**
 * The end of the initialization or of an invocation: the process reported a result, exited, exceeded a limit, or could
 * not be started.
 */
export type EnvironmentOutcome =
  | Exclude<EnvironmentMessage, { kind: 'output' }>
  | { kind: 'exited'; status: number | null; signal: NodeJS.Signals | null; outOfMemory: boolean }
  /** The host has too few resources for the process, such as open files. */
  | { kind: 'not-started'; reason: string }
  | { kind: 'overdue' };

/** The error codes of the operating system if a process cannot be created until resources are free again. */
const shortages = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];

const killed = { kind: 'exited', status: null, signal: 'SIGKILL' } as const;

/** The host's interface to the process of an execution environment, regardless of the program that it runs. */
export abstract class EnvironmentProcess {
  readonly #memoryBytes: number;
  readonly #write: (text: string) => void;
  #settle: ((waitForOutcome: EnvironmentOutcome) => void) | undefined;
  #end: EnvironmentOutcome | undefined;
  #use: ResourceUsage = { cpuMicroseconds: 0, memoryBytes: 0 };

  /** @param write receives the complete output of the process. */
  constructor(definition: FunctionDefinition, write: (text: string) => void) {
    this.#write = write;
    this.#memoryBytes = Math.max(definition.memoryMb, minimumMemoryMb) * 1_048_576;
  }

  /** False once the process has exited, exceeded a limit, or been terminated. */
  get alive(): boolean {
    return this.#end === undefined;
  }

  /** The resources used since the process started, according to its latest report. */
  get resourceUsage(): ResourceUsage {
    return this.#use;
  }

  /** Starts an invocation. Call `ending` first, because it receives the result. */
  abstract post(message: InvocationMessage): void;

  /** Resolves at the end of the current phase. The caller must terminate a process that exceeds a limit. */
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

  async terminate(): Promise<void> {
    this.finish({ ...killed, outOfMemory: false });
    await this.kill();
  }

  /** The process id; undefined if the process does not exist. */
  protected abstract readonly pid: number | undefined;

  /** Kills the process and resolves when it has exited. */
  protected abstract kill(): Promise<void>;

  protected receive(message: EnvironmentMessage): void {
    if (message.kind === 'output') {
      this.#write(message.text);
    } else {
      this.#use = message.use;
      this.#settle?.(message);
    }
  }

  /** Ends the current phase because the process has exited or must exit. */
  protected finish(ending: EnvironmentOutcome): void {
    this.#end ??= ending;
    this.#settle?.(this.#end);
  }

  /** Ends the initialization because the process could not be created. `status` is its exit status, as in a shell. */
  protected failToStart(error: unknown, status: number): void {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (shortages.includes(code))
      return this.finish({ kind: 'not-started', reason: messageOf(error) });
    this.receive({ kind: 'output', text: `${messageOf(error)}\n` });
    this.finish({ kind: 'exited', status, signal: null, outOfMemory: false });
  }

  #checkMemory(): void {
    if (this.pid === undefined || residentBytes(this.pid) <= this.#memoryBytes) return;
    this.#use = { ...this.#use, memoryBytes: this.#memoryBytes };
    this.finish({ ...killed, outOfMemory: true });
  }
}
