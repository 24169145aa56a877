import { messageOf } from '../../src/core/errors.ts';
import { Environment, type Surroundings } from './environment.ts';

/** How a function ended, and what it answered. */
type Ended<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** A function: its environments, each of which takes one invocation at a time until it dies. */
export class Lambda<Input, Answer> {
  readonly #start: (environment: Environment) => (input: Input) => Promise<Answer>;
  readonly #around: Surroundings;
  readonly #name: string;
  readonly #idle: { environment: Environment; handler: (input: Input) => Promise<Answer> }[] = [];
  /** Invocations under way, also those that nobody waits for any more. */
  readonly running = new Set<Promise<unknown>>();

  constructor(
    around: Surroundings,
    name: string,
    start: (environment: Environment) => (input: Input) => Promise<Answer>,
  ) {
    this.#around = around;
    this.#name = name;
    this.#start = start;
  }

  invoke(input: Input): Promise<Ended<Answer>> {
    const invocation = this.#run(input);
    this.running.add(invocation);
    void invocation.finally(() => this.running.delete(invocation));
    return invocation;
  }

  async #run(input: Input): Promise<Ended<Answer>> {
    const warm = this.#idle.pop() ?? this.#cold();
    const { environment, handler } = warm;
    const ended = await Promise.race([
      handler(input).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ failed: messageOf(error) }),
      ),
      environment.died.then((failed) => ({ failed })),
    ]);
    if (environment.alive) this.#idle.push(warm);
    return ended;
  }

  #cold() {
    const environment = new Environment(this.#around, this.#name);
    return { environment, handler: this.#start(environment) };
  }
}
