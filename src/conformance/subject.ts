import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { systemClock } from '../common/clock.ts';
import { issuesText } from '../common/schema-issues.ts';
import { testSourceOf } from '../core/effects/outgoing-event.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { parseExact } from '../core/json/exact-json.ts';
import type { Model } from '../core/model/model.ts';
import type { FunctionPort } from '../model-runtime/remote/function-port.ts';
import { ModelFunction } from '../model-runtime/remote/model-function.ts';
import {
  describeAnswer,
  type FoldRequest,
  foldAnswer,
  protocolVersion,
} from '../model-runtime/remote/schemas.ts';
import { timeAfter } from '../testing/time-after.ts';
import { excerpt } from './check.ts';

export type Question = FoldRequest['instances'][number];
export type Answer = v.InferInput<typeof foldAnswer>['instances'][number];

/** The function under test. */
export class Subject {
  readonly #port: FunctionPort;
  /** The model described by the function, as Milepost parses it. */
  readonly describedModel: Model;
  readonly description: unknown;
  /** A client that calls the function as Milepost does. */
  readonly model: ModelFunction;

  private constructor(port: FunctionPort, model: ModelFunction, described: Model, raw: unknown) {
    this.#port = port;
    this.model = model;
    this.describedModel = described;
    this.description = raw;
  }

  /**
   * Gets the model's description from the function.
   *
   * @throws Error if the function returns no valid description.
   */
  static async connect(port: FunctionPort): Promise<Subject> {
    const raw = parseAnswer(
      describeAnswer,
      await requestAnswer(port, { protocol: protocolVersion, op: 'describe' }),
    );
    const { id } = raw.description;
    const model = new ModelFunction(port, { id, canSeal: true, clock: systemClock });
    return new Subject(port, model, await model.describe(), raw.description);
  }

  /** Sends a fold request and validates every part of the response. */
  async fold(instances: readonly Question[], more: object = {}): Promise<Answer[]> {
    const question = { protocol: protocolVersion, op: 'fold', instances, ...more };
    const answer = parseAnswer(foldAnswer, await requestAnswer(this.#port, question));
    if (answer.instances.length !== instances.length)
      throw new Error(
        `the function returned results for ${answer.instances.length} of ${instances.length} instances`,
      );
    if (!isDeepStrictEqual(answer.description, this.description))
      throw new Error('the description differs from the response to the describe request');
    for (const [index, { steps, fault }] of answer.instances.entries()) {
      const { length } = instances[index]!.events;
      if (steps.length > length)
        throw new Error(`the function returned ${steps.length} steps for ${length} events`);
      if (steps.length === 0 && fault === undefined)
        throw new Error('the function returned neither a step nor a fault');
      if (steps.length === length && fault !== undefined)
        throw new Error('the function returned a fault in addition to a step for every event');
    }
    return answer.instances;
  }

  /**
   * Sends a request that the function must reject by failing.
   *
   * @throws Error if the function returns a response or cannot be invoked.
   */
  async expectRefusal(question: object): Promise<void> {
    const asked = await this.#port.invoke(JSON.stringify(question));
    if (asked.kind === 'answered')
      throw new Error(`the function did not fail, but returned ${excerpt(JSON.parse(asked.text))}`);
    if (asked.kind === 'unavailable') throw new Error(asked.reason);
  }

  /** Builds an event, with deterministic defaults for missing attributes. */
  event(place: number, more: Partial<TrackedEvent>): TrackedEvent {
    return {
      id: `event-${place}`,
      source: testSourceOf(more.type ?? '', more.data, 'conformance'),
      type: 'conformance.tested',
      model: this.describedModel.id,
      transaction: 'conformance',
      time: timeAfter(undefined),
      data: {},
      ...more,
    };
  }
}

async function requestAnswer(port: FunctionPort, question: object): Promise<unknown> {
  const asked = await port.invoke(JSON.stringify(question));
  if (asked.kind === 'answered') return parseExact(asked.text);
  throw new Error(
    asked.kind === 'failed' ? `the function failed: ${asked.error} ${asked.message}` : asked.reason,
  );
}

/** Validates a response and returns it without the defaults of the schema. */
function parseAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferInput<Schema> {
  const parsed = v.safeParse(schema, answer);
  if (parsed.success) return answer;
  throw new Error(`invalid response: ${issuesText(parsed.issues)}`);
}
