import * as v from 'valibot';
import type { Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { retry } from '../../common/retry.ts';
import { issuesText } from '../../common/schema-issues.ts';
import { MilepostError } from '../../core/errors.ts';
import { parseWithFlaws } from '../../core/json/exact-json.ts';
import type { Json } from '../../core/json/json.ts';
import type { Model } from '../../core/model/model.ts';
import type { Sensitive } from '../../core/personal-data/sensitive.ts';
import { type CheckedAnswer, foldByAnswer } from './fold-by-answer.ts';
import type { FunctionPort, FunctionResponse } from './function-port.ts';
import { type InstanceRequest, instanceRequestOf, packRequests } from './instance-request.ts';
import { modelFromDescription } from './model-from-description.ts';
import type { InstanceBatch, InstanceBatchResult, RemoteModel } from './remote-model.ts';
import {
  describeAnswer,
  looseFoldAnswer,
  looseInstance,
  type modelDescription,
  protocolVersion,
} from './schemas.ts';

/** What is known beforehand of a model whose code is a function. */
export interface ModelFunctionOptions {
  readonly id: string;
  /** Whether the tracker has keys to seal personal data with. */
  readonly canSeal: boolean;
  readonly clock: Clock;
}

/** How often it is asked to describe itself while it cannot be reached, and the wait between, in milliseconds. */
const maximumAttempts = 5;
const attemptIntervalMs = 3_000;

/**
 * A model whose code is a function in any language, which is asked to fold: docs/protocol.md. It is
 * pure and has no rights; what it answers is checked as what a model of TypeScript returns.
 */
export class ModelFunction implements RemoteModel {
  readonly id: string;
  readonly #port: FunctionPort;
  readonly #canSeal: boolean;
  readonly #clock: Clock;
  /** As it described itself last, and the JSON of that. */
  #described: { readonly json: string; readonly model: Model } | undefined;
  /** The model that folded last. */
  #folding: Model | undefined;

  constructor(port: FunctionPort, { id, canSeal, clock }: ModelFunctionOptions) {
    this.id = id;
    this.#port = port;
    this.#clock = clock;
    this.#canSeal = canSeal;
  }

  /** The fields that are sealed, as the model that folded last has them. */
  get sensitive(): Sensitive | undefined {
    return this.#folding?.sensitive;
  }

  /**
   * Asks the function what it is. Right after a deployment the permission to invoke it may not be there
   * yet, because IAM is eventually consistent: then it is asked again.
   *
   * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
   * @throws MilepostError `model-fault` where it fails, `bad-model` where it answers no description of this
   *   model, `busy` where it cannot be asked now.
   */
  async describe(): Promise<Model> {
    const text = await retry(async () => this.#answerOf(await this.#ask('{"op":"describe"', '}')), {
      attempts: maximumAttempts,
      pauseAfter: (thrown) => (isBusy(thrown) ? attemptIntervalMs : undefined),
      clock: this.#clock,
    });
    return this.#model(this.#parsed(describeAnswer, text).description);
  }

  /**
   * Folds the next events of many instances. What the function answers for one does not touch the others.
   *
   * @returns for each batch what became of it, in order.
   * @throws MilepostError where the function fails as a whole, on more than one event: fewer may go better.
   */
  async fold(batches: readonly InstanceBatch[]): Promise<InstanceBatchResult[]> {
    const questions = batches.map(instanceRequestOf);
    const folds = new Map<InstanceRequest, InstanceBatchResult>();
    let first: Model | undefined;
    for (const request of packRequests(questions.filter((each) => each !== undefined)))
      for (const [question, fold] of await this.#foldSome(request)) {
        const model = 'model' in fold ? fold.model : undefined;
        first ??= model;
        // Commits of one round are made by one model: what another one folds, as while it is deployed,
        // comes again.
        const isOther = model !== undefined && model !== first;
        folds.set(question, isOther ? { unavailable: 'the function is being replaced' } : fold);
      }
    this.#folding = first;
    return batches.map(({ events }, index): InstanceBatchResult => {
      const question = questions[index];
      if (question) return folds.get(question)!;
      return { results: events.map(() => 'stale-timer') };
    });
  }

  async #foldSome(
    request: readonly InstanceRequest[],
  ): Promise<[InstanceRequest, InstanceBatchResult][]> {
    const all = (fold: InstanceBatchResult) =>
      request.map((each): [InstanceRequest, InstanceBatchResult] => [each, fold]);
    const instances = request.map(({ json }) => json).join(',');
    const answered = await this.#ask('{"op":"fold"', `,"instances":[${instances}]}`);
    if (answered.kind === 'unavailable') return all({ unavailable: answered.reason });
    try {
      const answer = this.#parsed(looseFoldAnswer, this.#answerOf(answered));
      if (answer.instances.length !== request.length)
        throw this.#fault(
          `answered ${answer.instances.length} instances, asked for ${request.length}`,
        );
      const model = this.#model(answer.description);
      return request.map((question, index) => {
        const { head: newest, events, requestedEvents: asked } = question;
        const judged = this.#judge(answer.instances[index], asked.length);
        return [question, { model, ...foldByAnswer(model, newest, events, asked, judged) }];
      });
    } catch (error) {
      const isSmallest = request.length === 1 && request[0]!.requestedEvents.length === 1;
      if (!isSmallest || !(error instanceof MilepostError) || error.code !== 'model-fault')
        throw error;
      return all({ fault: error });
    }
  }

  #ask(start: string, rest: string): Promise<FunctionResponse> {
    return this.#port.invoke(`${start},"protocol":${protocolVersion}${rest}`);
  }

  #answerOf(asked: FunctionResponse): string {
    if (asked.kind === 'answered') return asked.text;
    if (asked.kind === 'unavailable') throw new MilepostError('busy', asked.reason);
    throw this.#fault(`failed: ${asked.error}`, asked.message);
  }

  #parsed<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
    let value: Json;
    try {
      value = parseWithFlaws(text);
    } catch (error) {
      throw this.#fault('answered what cannot be read', messageOf(error));
    }
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    throw this.#fault('answered what it should not', issuesText(parsed.issues));
  }

  #judge(instance: unknown, asked: number): CheckedAnswer {
    const parsed = v.safeParse(looseInstance, instance);
    if (!parsed.success) return { wrong: `the answer is wrong: ${issuesText(parsed.issues)}` };
    const { length } = parsed.output.steps;
    return length <= asked
      ? { answer: parsed.output }
      : { wrong: `it answered ${length} steps for ${asked} events` };
  }

  #model(description: v.InferOutput<typeof modelDescription>): Model {
    const json = JSON.stringify(description);
    if (this.#described?.json === json) return this.#described.model;
    const model = modelFromDescription(description);
    if (model.id !== this.id)
      throw new MilepostError(
        'bad-model',
        `the function of model "${this.id}" describes the model "${model.id}"`,
      );
    if (model.sensitive && !this.#canSeal)
      throw new MilepostError(
        'bad-model',
        `model ${this.id} has sensitive fields: give the ProcessTracker personalData: true`,
      );
    this.#described = { json, model };
    return model;
  }

  /** @param detail may quote what the function was sent, and is left out where that may be personal. */
  #fault(what: string, detail?: string): MilepostError {
    const mayQuote = this.#described ? !this.#described.model.sensitive : !this.#canSeal;
    const said = detail !== undefined && mayQuote ? `${what}: ${detail}` : what;
    return new MilepostError('model-fault', `the function of model ${this.id} ${said}`);
  }
}

const isBusy = (thrown: unknown) => thrown instanceof MilepostError && thrown.code === 'busy';
