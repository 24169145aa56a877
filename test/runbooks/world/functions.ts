import {
  type FunctionDefinition,
  withEnvironment,
} from '../../../src/aws-local/lambda/function-definition.ts';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';

type Changes = Partial<Pick<FunctionDefinition, 'environment' | 'handler' | 'reservedConcurrency'>>;

/** The functions of a service that runs in this process. Changes them like UpdateFunctionConfiguration. */
export class Functions {
  readonly #host: LambdaHost;
  /** The definitions of functions before their changes. */
  readonly #before = new Map<string, FunctionDefinition>();

  private constructor(host: LambdaHost) {
    this.#host = host;
  }

  /** Starts a service, and makes its functions log in JSON, as the template requires in AWS. */
  static async of<Started>(
    start: () => Promise<Started>,
  ): Promise<{ readonly started: Started; readonly functions: Functions }> {
    const { define } = LambdaHost.prototype; // oxlint-disable-line typescript/unbound-method -- called with `this` below
    const hosts = new Set<LambdaHost>();
    LambdaHost.prototype.define = function defineWithJson(definition) {
      hosts.add(this);
      this.define = (each) =>
        define.call(this, withEnvironment(each, { AWS_LAMBDA_LOG_FORMAT: 'JSON' }));
      this.define(definition);
    };
    try {
      const started = await start();
      const [host] = hosts;
      return { started, functions: new Functions(host!) };
    } finally {
      LambdaHost.prototype.define = define;
    }
  }

  all(): FunctionDefinition[] {
    return this.#host.definitions();
  }

  /** @param part a part of the function's name that no other function's name contains, such as `DispatcherFunction` */
  named(part: string): FunctionDefinition {
    const found = this.all().filter(({ name }) => name.includes(part));
    if (found.length !== 1) throw new Error(`${found.length} functions are named ${part}`);
    return found[0]!;
  }

  change(part: string, changes: (before: FunctionDefinition) => Changes): void {
    const definition = this.named(part);
    if (!this.#before.has(definition.name)) this.#before.set(definition.name, definition);
    this.#host.define({ ...definition, ...changes(definition) });
  }

  /** Removes an environment variable, so that the function cannot start. */
  break(part: string, variable: string): void {
    this.change(part, ({ environment: { [variable]: value, ...others } }) => {
      if (value === undefined) throw new Error(`${part} has no variable ${variable}`);
      return { environment: others };
    });
  }

  /** Restores all changed functions. */
  restoreAll(): void {
    for (const name of this.#before.keys()) this.restore(name);
  }

  /** Restores a changed function, as deploying the previous version does. */
  restore(part: string): void {
    const { name } = this.named(part);
    const before = this.#before.get(name);
    if (!before) throw new Error(`${name} was not changed`);
    this.#before.delete(name);
    this.#host.define(before);
  }
}
