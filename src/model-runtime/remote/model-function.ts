import * as v from 'valibot';
import type { Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { retry } from '../../common/retry.ts';
import { issuesText } from '../../common/schema-issues.ts';
import { isBusy, MilepostError } from '../../core/errors.ts';
import { parseWithFlaws } from '../../core/json/exact-json.ts';
import type { Json } from '../../core/json/json.ts';
import type { Model } from '../../core/model/model.ts';
import type { Sensitive } from '../../core/personal-data/sensitive.ts';
import { type CheckedAnswer, foldByAnswer } from './fold-by-answer.ts';
import type { FunctionPort, FunctionResponse } from './function-port.ts';
import type { InstanceBatch, InstanceBatchResult } from './instance-batch.ts';
import { firstRequestOf, type InstanceRequest } from './instance-request.ts';
import { modelFromDescription } from './model-from-description.ts';
import {
  describeAnswer,
  looseFoldAnswer,
  looseInstance,
  type modelDescription,
  protocolVersion,
} from './schemas.ts';

export interface ModelFunctionOptions {
  readonly id: string;
  /** True if the tracker has data keys to seal personal data. */
  readonly canSeal: boolean;
  readonly clock: Clock;
}

/** The maximum number of attempts to get the description, and the delay between attempts in milliseconds. */
const maximumAttempts = 5;
const attemptIntervalMs = 3_000;

/**
 * A model whose code is a function in any language: see docs/reference/model-function-protocol.md. The function is pure
 * and needs no permissions. Milepost validates its responses like the results of a model in TypeScript.
 */
export class ModelFunction {
  readonly id: string;
  readonly #port: FunctionPort;
  readonly #canSeal: boolean;
  readonly #clock: Clock;
  /** The model of the latest description, and the JSON of that description. */
  #described: { readonly json: string; readonly model: Model } | undefined;
  /** The model that the function described in the latest fold. */
  #folding: Model | undefined;

  constructor(port: FunctionPort, { id, canSeal, clock }: ModelFunctionOptions) {
    this.id = id;
    this.#port = port;
    this.#clock = clock;
    this.#canSeal = canSeal;
  }

  /** The sensitive fields of the model that the latest fold used. */
  get sensitive(): Sensitive | undefined {
    return this.#folding?.sensitive;
  }

  /**
   * Requests the description from the function. Retries if the function could not be invoked. For example, the
   * permission to invoke it may be new, and IAM is eventually consistent.
   *
   * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
   * @throws MilepostError `model-fault` if the function fails, `bad-model` if it describes another model or an invalid
   *   model, or `busy` if it could not be invoked in any of the five attempts.
   */
  async describe(): Promise<Model> {
    // A request for the description contains no events, so the reason for a failure cannot quote them.
    const mayQuote = true;
    const ask = async () => this.#answerOf(await this.#ask('{"op":"describe"', '}'), mayQuote);
    const text = await retry(ask, {
      attempts: maximumAttempts,
      pauseAfter: (thrown) => (isBusy(thrown) ? attemptIntervalMs : undefined),
      clock: this.#clock,
    });
    return this.#model(this.#parsed(describeAnswer, text, mayQuote).description);
  }

  /**
   * Folds the next events of as many of the first instances as fit into one request. The caller commits the results
   * before it continues with the other instances, so each invocation makes progress even if the function is slow. An
   * invalid result for one instance does not affect the other instances.
   *
   * @returns the result for each batch, in order; undefined for the batches that were not sent.
   * @throws MilepostError `model-fault` if a request with more than one event fails (a request with fewer events may
   *   succeed), or `bad-model` if the function describes another model or an invalid model. The message contains no
   *   event data.
   */
  async fold(batches: readonly InstanceBatch[]): Promise<(InstanceBatchResult | undefined)[]> {
    const parts = firstRequestOf(batches);
    const asked = parts.filter((each) => each !== undefined);
    const folds = new Map(asked.length > 0 ? await this.#foldSome(asked) : []);
    return batches.map(({ events }, index): InstanceBatchResult | undefined => {
      if (index >= parts.length) return undefined;
      const part = parts[index];
      return part ? folds.get(part)! : { results: events.map(() => 'stale-timer') };
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
      const mayQuote = this.#mayQuoteEvents;
      const text = this.#answerOf(answered, mayQuote);
      const answer = this.#parsed(looseFoldAnswer, text, mayQuote);
      if (answer.instances.length !== request.length)
        throw this.#fault(
          `returned results for ${answer.instances.length} instances instead of ${request.length}`,
        );
      const model = this.#model(answer.description);
      this.#folding = model;
      return request.map((question, index) => {
        const { head: newest, events, requestedEvents: asked } = question;
        const judged = this.#judge(answer.instances[index], asked.length);
        return [question, { model, ...foldByAnswer(model, newest, events, asked, judged) }];
      });
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      const isSmallest = request.length === 1 && request[0]!.requestedEvents.length === 1;
      if (isSmallest) return all({ fault: error });
      // Lambda logs errors that a handler throws, so only the faults of individual events contain the details.
      throw new MilepostError('model-fault', error.summary);
    }
  }

  #ask(start: string, rest: string): Promise<FunctionResponse> {
    return this.#port.invoke(`${start},"protocol":${protocolVersion}${rest}`);
  }

  /** Returns false if a fold request can contain personal data, which a detail of a failure can quote. */
  get #mayQuoteEvents(): boolean {
    return this.#described ? !this.#described.model.sensitive : !this.#canSeal;
  }

  #answerOf(asked: FunctionResponse, mayQuote: boolean): string {
    if (asked.kind === 'answered') return asked.text;
    if (asked.kind === 'unavailable') throw new MilepostError('busy', asked.reason);
    throw this.#fault(`failed: ${asked.error}`, mayQuote ? asked.message : undefined);
  }

  #parsed<Schema extends v.GenericSchema>(
    schema: Schema,
    text: string,
    mayQuote: boolean,
  ): v.InferOutput<Schema> {
    let value: Json;
    try {
      value = parseWithFlaws(text);
    } catch (error) {
      const detail = mayQuote ? messageOf(error) : undefined;
      throw this.#fault('returned an unreadable response', detail);
    }
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    const detail = mayQuote ? issuesText(parsed.issues) : undefined;
    throw this.#fault('returned an invalid response', detail);
  }

  #judge(instance: unknown, asked: number): CheckedAnswer {
    const parsed = v.safeParse(looseInstance, instance);
    if (!parsed.success) return { wrong: `invalid response: ${issuesText(parsed.issues)}` };
    const { length } = parsed.output.steps;
    return length <= asked
      ? { answer: parsed.output }
      : { wrong: `the response has ${length} steps for ${asked} events` };
  }

  #model(description: v.InferOutput<typeof modelDescription>): Model {
    const json = JSON.stringify(description);
    if (this.#described?.json === json) return this.#described.model;
    const model = modelFromDescription(description);
    if (model.id !== this.id)
      throw new MilepostError(
        'bad-model',
        `the function of model "${this.id}" describes the model "${model.id}"; the ids must match`,
      );
    if (model.sensitive && !this.#canSeal)
      throw new MilepostError(
        'bad-model',
        `model ${this.id} has sensitive fields: set personalData: true on the ProcessTracker`,
      );
    this.#described = { json, model };
    return model;
  }

  /** Builds an error. The caller omits a `detail` that can quote personal data. */
  #fault(what: string, detail?: string): RequestFault {
    return new RequestFault(`the function of model ${this.id} ${what}`, detail);
  }
}

/** The error thrown when a request fails as a whole. */
class RequestFault extends MilepostError {
  /** The message without the detail, which can quote the events and states of the request. */
  readonly summary: string;

  constructor(summary: string, detail: string | undefined) {
    super('model-fault', detail === undefined ? summary : `${summary}: ${detail}`);
    this.summary = summary;
  }
}

/** Returns true if a model's code is in a separate function, so folding requires a request. */
export const isRemote = (model: Model | ModelFunction): model is ModelFunction => 'fold' in model;
