import type { ModelResourceRequest } from '../../../src/registrar/model-resource.ts';
import type { Account } from '../lambdas.ts';
import { modelVersions } from '../model.ts';
import { arnOf, type Code, type Functions } from './functions.ts';
import type { Registrar } from './registrar.ts';

const second = 1_000;
/** How long CloudFormation waits for a response, in milliseconds. */
const serviceTimeout = 15 * 60 * second;

/** A version of a model's function that a deployment registered. */
export interface Deployed {
  readonly version: string;
  readonly code: Code;
  /** When CloudFormation sent the request, in milliseconds since 1970. */
  readonly sentAt: number;
  /** When CloudFormation received the response, in milliseconds since 1970. */
  readonly doneAt: number;
}

/** A request of CloudFormation for the resource that registers a model. */
interface Request {
  readonly type: ModelResourceRequest['RequestType'];
  readonly model: string;
  /** The name of the model's function. Each function has its own resource. */
  readonly name: string;
  readonly version: string;
}

/** The model that the deployments add, move, and delete. No events are sent to it. */
export const addedModel = 'added';
/** The functions between which deployments move the added model. */
const addedFunctions = [addedModel, `${addedModel}-moved`] as const;

/**
 * A CloudFormation stack with two models. Deployments register new versions of the first model, or add, move, or delete
 * the second one. They are canceled while the registrar is running, fail, and are rolled back.
 */
export class Stack {
  readonly #account: Account;
  readonly #functions: Functions;
  readonly #registrar: Registrar;
  #deployed: Deployed;
  #added: string | undefined;

  /** @param account the account with the random numbers of deployments. */
  constructor(account: Account, functions: Functions, registrar: Registrar, deployed: Deployed) {
    this.#account = account;
    this.#functions = functions;
    this.#registrar = registrar;
    this.#deployed = deployed;
    for (const name of addedFunctions)
      functions.update(name, { model: modelVersions[0], isValid: true });
  }

  /** The result of the last deployment or rollback of the first model. */
  get deployed(): Deployed {
    return this.#deployed;
  }

  /** The name of the function that runs the second model; undefined if the model is not in the stack. */
  get added(): string | undefined {
    return this.#added;
  }

  /** Deploys one to seven times. */
  async trouble(): Promise<void> {
    const { chance, clock } = this.#account;
    for (let n = chance.whole(1, 7); n > 0; n--) {
      await clock.sleep(chance.whole(10 * second, 40 * second));
      await (chance.happens(0.6) ? this.#update() : this.#changeAdded());
    }
  }

  async #update(): Promise<void> {
    const { chance, count } = this.#account;
    const before = this.#deployed;
    const tally = { type: 'Update', model: 'tally', name: 'tally' } as const;
    const code = { model: chance.pick(modelVersions), isValid: chance.happens(0.8) };
    this.#functions.update('tally', code);
    const version = this.#functions.publish('tally');
    if (await this.#succeeds({ ...tally, version })) {
      count('successful deployments');
      this.#deployed = { ...this.#deployed, version, code };
      return;
    }
    count('deployments that CloudFormation rolls back');
    this.#functions.update('tally', before.code);
    await this.#complete({ ...tally, version: before.version });
    this.#deployed = { ...this.#deployed, version: before.version, code: before.code };
    this.#functions.delete(arnOf('tally'), version);
  }

  /** Adds the second model, moves it to another function, or deletes it. */
  async #changeAdded(): Promise<void> {
    const { chance, count } = this.#account;
    const request = { model: addedModel, version: '1' };
    const before = this.#added;
    const after = before && chance.happens(0.4) ? undefined : this.#otherFunction();
    const isDone = !after || (await this.#succeeds({ type: 'Create', ...request, name: after }));
    if (isDone) this.#added = after;
    // After a move, CloudFormation deletes the resource of the old function. A rollback deletes that of the new one.
    const deleted = isDone ? before : after;
    const change = before ? (after ? 'moves' : 'deletions') : 'creations';
    count(`${change} of models${isDone ? '' : ', rolled back'}`);
    if (deleted) await this.#complete({ type: 'Delete', ...request, name: deleted });
  }

  #otherFunction(): string {
    return addedFunctions.find((name) => name !== this.#added)!;
  }

  /** Sends a request of a deployment. Returns false if the request or another resource of the deployment fails. */
  async #succeeds(request: Request): Promise<boolean> {
    const { chance } = this.#account;
    const isCanceled = chance.happens(0.4);
    const patience = isCanceled ? chance.whole(0, 20 * second) : serviceTimeout;
    return (await this.#send(request, patience)) && !chance.happens(0.2);
  }

  /** Sends a request of a rollback or a deletion, and repeats it until it succeeds. */
  async #complete(request: Request): Promise<void> {
    const { chance, clock, count } = this.#account;
    // CloudFormation sends no two requests for a resource within a second.
    await clock.sleep(chance.whole(2 * second, 5 * second));
    while (!(await this.#send(request, serviceTimeout))) {
      count('rollbacks that are continued');
      await clock.sleep(chance.whole(5 * second, 60 * second));
    }
  }

  /** Sends a request to the registrar. Returns true if the registrar reports success in time. */
  async #send({ type, model, name, version }: Request, patience: number): Promise<boolean> {
    const { clock } = this.#account;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // The signature of the response URL contains the time in seconds.
    const sentAt = Math.floor(clock.now() / second) * second;
    this.#registrar.send({
      RequestType: type,
      StackId: 'stack',
      LogicalResourceId: `${name}Registration`,
      requestedAt: sentAt,
      ResourceProperties: { ModelId: model, FunctionArn: arnOf(name), FunctionVersion: version },
      respond: resolve,
    });
    const isDone = await Promise.race([promise, clock.sleep(patience).then(() => false)]);
    if (isDone && model === 'tally')
      this.#deployed = { ...this.#deployed, sentAt, doneAt: clock.now() };
    return isDone;
  }
}
