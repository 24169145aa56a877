import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { systemClock } from '../common/clock.ts';
import { issuesText } from '../common/schema-issues.ts';
import { testSourceOf } from '../core/effects/outgoing-event.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { parseExact } from '../core/json/exact-json.ts';
import type { Model } from '../core/model/model.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { FunctionPort } from '../model-runtime/remote/function-port.ts';
import { ModelFunction } from '../model-runtime/remote/model-function.ts';
import {
  describeAnswer,
  type FoldRequest,
  foldAnswer,
  protocolVersion,
} from '../model-runtime/remote/schemas.ts';
import { excerpt } from './check.ts';

export type Question = FoldRequest['instances'][number];
export type Answer = v.InferInput<typeof foldAnswer>['instances'][number];

/** The function that is tested. */
export class Subject {
  readonly #port: FunctionPort;
  /** What it describes, as Milepost's own Lambda takes it. */
  readonly describedModel: Model;
  readonly description: unknown;
  /** It, as Milepost's own Lambda asks it. */
  readonly model: ModelFunction;

  private constructor(port: FunctionPort, model: ModelFunction, described: Model, raw: unknown) {
    this.#port = port;
    this.model = model;
    this.describedModel = described;
    this.description = raw;
  }

  /** @throws Error where it describes no model. */
  static async connect(port: FunctionPort): Promise<Subject> {
    const raw = parseAnswer(
      describeAnswer,
      await requestAnswer(port, { protocol: protocolVersion, op: 'describe' }),
    );
    const { id } = raw.description;
    const model = new ModelFunction(port, { id, canSeal: true, clock: systemClock });
    return new Subject(port, model, await model.describe(), raw.description);
  }

  /** What it answers; it has to be right in every part. */
  async fold(instances: readonly Question[], more: object = {}): Promise<Answer[]> {
    const question = { protocol: protocolVersion, op: 'fold', instances, ...more };
    const answer = parseAnswer(foldAnswer, await requestAnswer(this.#port, question));
    if (answer.instances.length !== instances.length)
      throw new Error(`it answered ${answer.instances.length} of ${instances.length} instances`);
    if (!isDeepStrictEqual(answer.description, this.description))
      throw new Error('it describes itself in another way than it did when it was asked to');
    for (const [index, { steps, fault }] of answer.instances.entries()) {
      const { length } = instances[index]!.events;
      if (steps.length > length) throw new Error(`${steps.length} steps for ${length} events`);
      if (steps.length === 0 && fault === undefined) throw new Error('no step, and no fault');
      if (steps.length === length && fault !== undefined)
        throw new Error('a fault, and a step for every event');
    }
    return answer.instances;
  }

  /** @throws Error where it answers as if it had understood. */
  async expectRefusal(question: object): Promise<void> {
    const asked = await this.#port.invoke(JSON.stringify(question));
    if (asked.kind === 'answered')
      throw new Error(`it answered ${excerpt(JSON.parse(asked.text))}`);
    if (asked.kind === 'unavailable') throw new Error(asked.reason);
  }

  /** An event with the rest filled in: what is not given is the same each time. */
  event(place: number, more: Partial<TrackedEvent>): TrackedEvent {
    return {
      id: `event-${place}`,
      source: testSourceOf(more.type ?? '', more.data, 'conformance'),
      type: 'conformance.tested',
      model: this.describedModel.id,
      transaction: 'conformance',
      time: toIso(Date.UTC(2026, 0, 1) + place * 1000),
      data: {},
      ...more,
    };
  }
}

async function requestAnswer(port: FunctionPort, question: object): Promise<unknown> {
  const asked = await port.invoke(JSON.stringify(question));
  if (asked.kind === 'answered') return parseExact(asked.text);
  throw new Error(
    asked.kind === 'failed' ? `it failed: ${asked.error} ${asked.message}` : asked.reason,
  );
}

/** The answer as it came, where it is one: what it does not have is not made up. */
function parseAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferInput<Schema> {
  const parsed = v.safeParse(schema, answer);
  if (parsed.success) return answer;
  throw new Error(`its answer is wrong: ${issuesText(parsed.issues)}`);
}
