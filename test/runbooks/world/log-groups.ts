import type { Functions } from './functions.ts';

/** The log groups to which AWS services write. Functions write to all other log groups. */
const ofServices: ReadonlySet<string> = new Set(['ApiAccess', 'Archive']);

/** The log lines of a local service, by log group. */
export class LogGroups {
  readonly #functions: Functions;
  /** The lines that each function logged, by the function's name. The empty name stands for the service itself. */
  readonly #lines: Map<string, string[]>;

  constructor(functions: Functions, lines: Map<string, string[]>) {
    this.#functions = functions;
    this.#lines = lines;
  }

  /** Returns the lines of the log group with the given physical id. */
  of(group: string): readonly string[] {
    const [, owner] = /Tracker(\w+?)Logs[0-9A-F]{8}/.exec(group) ?? [];
    if (owner === undefined) throw new Error(`no log group ${group}`);
    return this.ofOwner(owner);
  }

  /** @param owner the logical id of a log group, without `Tracker` and `Logs…`, such as `Dispatcher` */
  ofOwner(owner: string): readonly string[] {
    if (ofServices.has(owner)) return this.#lines.get(owner) ?? [];
    const [, model] = /^Models(\w+)$/.exec(owner) ?? [];
    const part = model ? `Milepost-${model}-` : `Tracker${owner}Function`;
    const { name = '' } = this.#functions.all().find((each) => each.name.includes(part)) ?? {};
    return this.#lines.get(name) ?? [];
  }

  append(owner: string, line: string): void {
    this.#lines.set(owner, [...(this.#lines.get(owner) ?? []), line]);
  }

  /** Removes all lines, as if they were too old for the commands in the runbook to find. */
  clear(): void {
    this.#lines.clear();
  }

  /** Returns the lines from the service itself that start with the given text. */
  ofService(start: string): readonly string[] {
    return (this.#lines.get('') ?? []).filter((line) => line.startsWith(start));
  }

  /** Returns the latest lines in each group, for error messages. */
  latest(): string {
    return [...this.#lines]
      .flatMap(([name, lines]) => lines.slice(-3).map((line) => `${name}: ${line.slice(0, 300)}`))
      .join('\n');
  }
}
