import {
  type FunctionDefinition,
  withEnvironment,
} from '../../../src/aws-local/lambda/function-definition.ts';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';

/** Settings of a function that a deployment or an operator changes. */
export type Settings = Partial<
  Pick<
    FunctionDefinition,
    'codePath' | 'environment' | 'handler' | 'reservedConcurrency' | 'timeoutSeconds'
  >
>;

/** Function settings, keyed by part of the function's name. */
export type SettingsByName = Readonly<Record<string, Settings>>;

interface Versions {
  /** The definition that the local service deployed. */
  readonly original: FunctionDefinition;
  /** The settings from the latest deployment, which replace those of the original definition. */
  deployed: Settings;
  /** The settings that were changed outside of a deployment. */
  drift: Settings;
}

/**
 * The functions of a service that runs in this process. Its methods change functions as a deployment or
 * `UpdateFunctionConfiguration` does.
 */
export class Functions {
  readonly #host: LambdaHost;
  readonly #define: LambdaHost['define'];
  readonly #held: readonly FunctionDefinition[];
  /** The changed functions, by name. */
  readonly #versions = new Map<string, Versions>();

  /** The concurrent executions that functions of other systems have reserved. */
  reservedByOthers = 0;
  #starved = '';

  private constructor(
    host: LambdaHost,
    define: LambdaHost['define'],
    held: readonly FunctionDefinition[],
  ) {
    this.#host = host;
    this.#define = define.bind(host);
    this.#held = held;
  }

  /**
   * Starts a service.
   *
   * @param environment variables for all functions
   * @param held part of the names of the functions that are held back until `release` defines them
   */
  static async of<Started>(
    start: () => Promise<Started>,
    environment: Readonly<Record<string, string>>,
    held: string,
  ): Promise<{ readonly started: Started; readonly functions: Functions }> {
    const { define } = LambdaHost.prototype; // oxlint-disable-line typescript/unbound-method -- called with `this` below
    const hosts = new Set<LambdaHost>();
    const heldBack: FunctionDefinition[] = [];
    let isStarting = true;
    LambdaHost.prototype.define = function defineFirst(first) {
      hosts.add(this);
      this.define = (each) => {
        const definition = withEnvironment(each, environment);
        if (isStarting && definition.name.includes(held)) heldBack.push(definition);
        else define.call(this, definition);
      };
      this.define(first);
    };
    try {
      const started = await start();
      const [host] = hosts;
      return { started, functions: new Functions(host!, define, heldBack) };
    } finally {
      isStarting = false;
      LambdaHost.prototype.define = define;
    }
  }

  all(): FunctionDefinition[] {
    return [...this.#host.definitions(), ...this.#held];
  }

  /** @param part part of the function's name that no other function's name contains, such as `DispatcherFunction` */
  named(part: string): FunctionDefinition {
    const found = this.#host.definitions().filter(({ name }) => name.includes(part));
    if (found.length !== 1)
      throw new Error(`${found.length} functions have a name that contains ${part}`);
    return found[0]!;
  }

  /** Defines a function that was held back. */
  release(part: string, settings: Settings): void {
    const definition = this.#held.find(({ name }) => name.includes(part));
    if (!definition)
      throw new Error(`no function that is held back has a name that contains ${part}`);
    this.#define({ ...definition, ...settings });
  }

  /** Removes a function that was released. */
  remove(part: string): void {
    this.#host.remove(this.named(part).name);
  }

  /** Changes settings outside of a deployment. */
  change(part: string, settings: Settings): void {
    const versions = this.#versionsOf(part);
    versions.drift = { ...versions.drift, ...settings };
    this.#update(versions);
  }

  /**
   * Deploys settings. Restores the original definition of each function that `settings` does not contain. Like
   * CloudFormation, compares settings with the previous deployment and keeps changes that were made outside of
   * deployments.
   *
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
   */
  deploy(settings: SettingsByName): void {
    for (const part of Object.keys(settings)) this.#versionsOf(part);
    for (const versions of this.#versions.values()) {
      const [, deployed = {}] =
        Object.entries(settings).find(([part]) => versions.original.name.includes(part)) ?? [];
      if (JSON.stringify(deployed) === JSON.stringify(versions.deployed)) continue;
      versions.deployed = deployed;
      this.#update(versions);
    }
  }

  /**
   * Makes functions of other systems use all concurrent executions of the account. The given function then has no
   * executions until it has a reservation.
   */
  starve(part: string): void {
    this.reservedByOthers = 900;
    this.#starved = this.named(part).name;
    this.change(part, { reservedConcurrency: 0 });
  }

  /** True if a function has no reservation and the account has no other executions for it. */
  isStarved(name: string): boolean {
    return name === this.#starved && this.named(name).reservedConcurrency === 0;
  }

  /** Reverts the changes that were made outside of deployments, like a drift-aware change set. */
  revertDrift(): void {
    for (const versions of this.#versions.values()) {
      versions.drift = {};
      this.#update(versions);
    }
  }

  /** Ends the environments of all functions so that the next invocations start new ones. */
  restart(): void {
    for (const definition of this.#host.definitions()) this.#define(definition);
  }

  restoreAll(): void {
    this.reservedByOthers = 0;
    this.#starved = '';
    this.deploy({});
    this.revertDrift();
    this.#versions.clear();
  }

  #versionsOf(part: string): Versions {
    const { name } = this.named(part);
    const known = this.#versions.get(name);
    if (known) return known;
    const versions: Versions = { original: this.named(part), deployed: {}, drift: {} };
    this.#versions.set(name, versions);
    return versions;
  }

  #update({ original, deployed, drift }: Versions): void {
    this.#define({ ...original, ...deployed, ...drift });
  }
}
