import type { Clock } from '../../../src/common/clock.ts';
import type { ModelVersion } from '../../../src/core/model/model-version.ts';
import type { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';
import type { modelVersions } from '../model.ts';

/** The code of a model's function. */
export interface Code {
  /** The version that the model declares. */
  readonly model: (typeof modelVersions)[number];
  /** False if the registrar rejects the description of the model. */
  readonly isValid: boolean;
}

/**
 * How long dispatchers can use an entry after it was replaced, in milliseconds: five seconds in the cache, and a second
 * until eventually consistent reads return the new entry.
 */
const staleFor = 6_000;

export const arnOf = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

/** Returns the model that a function runs. */
export const modelOf = (functionArn: string) => functionArn.split(':')[6]!.replace('-moved', '');

/** Lambda's control plane: the latest code and the published versions of functions. */
export class Functions {
  readonly findings: string[] = [];
  readonly #registry: ModelRegistryInMemory;
  readonly #clock: Clock;
  readonly #latest = new Map<string, Code>();
  readonly #published = new Map<string, Code>();
  /** When the registry stopped referring to a published version, by the ARN of the version. */
  readonly #replacedAt = new Map<string, number>();
  #lastNumber = 0;

  constructor(registry: ModelRegistryInMemory, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    registry.database.listen('registry', (before, after) => {
      const functionArn = before?.functionArn?.S;
      if (functionArn && functionArn !== after?.functionArn?.S)
        this.#replacedAt.set(functionArn, clock.now());
    });
  }

  /** Replaces the code of a function. */
  update(name: string, code: Code): void {
    this.#latest.set(arnOf(name), code);
  }

  /** Publishes the latest code of a function. Returns the number of the version. */
  publish(name: string): string {
    const number = String(++this.#lastNumber);
    this.#published.set(`${arnOf(name)}:${number}`, this.#latest.get(arnOf(name))!);
    return number;
  }

  /** Returns the code of a function or of a published version; undefined if it does not exist. */
  codeOf(functionArn: string): Code | undefined {
    return this.#latest.get(functionArn) ?? this.#published.get(functionArn);
  }

  /** Lists the numbers of the published versions of a function. */
  list(functionArn: string): string[] {
    return [...this.#published.keys()]
      .filter((each) => each.startsWith(`${functionArn}:`))
      .map((each) => each.slice(functionArn.length + 1));
  }

  /** Deletes a published version, and reports the deletion if a model or a dispatcher can still need the version. */
  delete(functionArn: string, number: string): void {
    const deleted = `${functionArn}:${number}`;
    if (!this.#published.delete(deleted)) return;
    const items = this.#registry.database.items('registry');
    const isListed = ({ versions }: (typeof items)[number]) =>
      versions?.L?.some(({ M }) => M?.functionArn?.S === deleted);
    if (items.some((each) => each.functionArn?.S === deleted || isListed(each)))
      this.findings.push(`${deleted} was deleted although it is in the registry`);
    if (this.#clock.now() < (this.#replacedAt.get(deleted) ?? 0) + staleFor)
      this.findings.push(`${deleted} was deleted while dispatchers could still invoke it`);
  }

  /**
   * Reports the invocation of a deleted version, unless the caller can have read the registry before the version was
   * replaced.
   *
   * @param since when the caller started.
   */
  reportMissing(functionArn: string, since: number): void {
    const replacedAt = this.#replacedAt.get(functionArn) ?? 0;
    if (replacedAt < since - staleFor)
      this.findings.push(`${functionArn} was invoked although it was deleted`);
  }

  /** Returns the listed versions that do not exist. */
  missing(listed: readonly ModelVersion[]): ModelVersion[] {
    return listed.filter(({ functionArn }) => !this.#published.has(functionArn));
  }
}
