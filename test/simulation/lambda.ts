import { messageOf } from '../../src/common/message-of.ts';
import { Environment, type Surroundings } from './environment.ts';
import { never } from './network.ts';

/** The reason that a timed-out process ended. */
export const timedOut = 'Task timed out';

/** The result of an invocation: its response or the reason for its failure. */
export type Ended<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** The part of an invocation's context that the functions read. */
export interface Context {
  getRemainingTimeInMillis(): number;
}

type Handler<Input, Answer> = (input: Input, context: Context) => Promise<Answer>;

export interface FunctionDefinition<Input, Answer> {
  readonly name: string;
  /** The timeout in milliseconds, which applies only if functions have timeouts. */
  readonly timeout: number;
  readonly start: (environment: Environment) => Handler<Input, Answer>;
  /** Called if an invocation times out although no code blocks the process. */
  readonly onTimeout?: () => void;
}

/**
 * A Lambda function with execution environments, each of which handles one invocation at a time until it crashes.
 * Between invocations, environments are frozen, so unfinished work continues during the next invocation or never.
 */
export class Lambda<Input, Answer> {
  readonly #around: Surroundings;
  readonly #definition: FunctionDefinition<Input, Answer>;
  #idle: { environment: Environment; handler: Handler<Input, Answer> }[] = [];
  /** The invocations in progress, including invocations that the caller abandoned. */
  readonly running = new Set<Promise<unknown>>();

  constructor(around: Surroundings, definition: FunctionDefinition<Input, Answer>) {
    this.#around = around;
    this.#definition = definition;
  }

  /** Replaces the function's code: no environment that exists starts another invocation. */
  deploy(): void {
    this.#idle = [];
  }

  invoke(input: Input): Promise<Ended<Answer>> {
    const invocation = this.#run(input);
    this.running.add(invocation);
    void invocation.finally(() => this.running.delete(invocation));
    return invocation;
  }

  async #run(input: Input): Promise<Ended<Answer>> {
    const { clock, timed } = this.#around;
    const idle = this.#idle;
    const warm = idle.pop() ?? this.#cold();
    const { environment, handler } = warm;
    environment.thaw();
    const end = timed ? clock.now() + this.#definition.timeout : Number.POSITIVE_INFINITY;
    const context = { getRemainingTimeInMillis: () => end - clock.now() };
    const answered = new AbortController();
    if (timed) void this.#endInTime(environment, answered.signal);
    const ended = await Promise.race([
      handler(input, context).then(
        (answer) => (environment.blocked ? never<never>() : { answer }),
        (error: unknown) => (environment.blocked ? never<never>() : { failed: messageOf(error) }),
      ),
      environment.died.then((failed) => ({ failed })),
    ]);
    answered.abort();
    if (environment.alive) {
      if (timed) environment.freeze();
      idle.push(warm);
    }
    return ended;
  }

  async #endInTime(environment: Environment, answered: AbortSignal): Promise<void> {
    const { name, timeout, onTimeout } = this.#definition;
    await this.#around.clock.sleep(timeout, answered);
    if (answered.aborted || !environment.alive) return;
    this.#around.count(`functions ended by their timeout: ${name}`);
    if (!environment.blocked) onTimeout?.();
    environment.die(timedOut);
  }

  #cold() {
    const { name, start } = this.#definition;
    const environment = new Environment(this.#around, name);
    return { environment, handler: start(environment) };
  }
}
