import { messageOf } from '../../../src/common/message-of.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type {
  FunctionPort,
  FunctionResponse,
} from '../../../src/model-runtime/remote/function-port.ts';
import type { FoldRequest } from '../../../src/model-runtime/remote/schemas.ts';

/** A function's response, which tests can change. */
export interface Answer {
  protocol: number;
  description: Record<string, unknown>;
  instances: { start?: unknown; steps: Record<string, unknown>[]; fault?: string }[];
}

/** A model that is called through the model function protocol, as if written in another language. */
export class ModelAsFunction implements FunctionPort {
  readonly model: Model;
  /** All requests that the function received, as JSON. */
  readonly questions: string[] = [];
  /** Returns a response to use instead of the model's response, or undefined to use the model's response. */
  instead: (question: FoldRequest) => FunctionResponse | undefined = () => undefined;
  /** Modifies the model's response before it is returned. */
  change: (answer: Answer, question: FoldRequest) => void = () => undefined;

  constructor(model: Model) {
    this.model = model;
  }

  get folds(): FoldRequest[] {
    const all = this.questions.map((question) => JSON.parse(question) as FoldRequest);
    return all.filter(({ op }) => op === 'fold');
  }

  invoke(text: string): Promise<FunctionResponse> {
    this.questions.push(text);
    const question = JSON.parse(text) as FoldRequest;
    const instead = this.instead(question);
    if (instead) return Promise.resolve(instead);
    const answer: Answer = {
      protocol: 1,
      description: this.#description(),
      instances: (question.instances ?? []).map((instance) => this.#fold(instance)),
    };
    this.change(answer, question);
    return Promise.resolve({ kind: 'answered', text: JSON.stringify(answer) });
  }

  #description() {
    const { id, version, title, statuses, milestones, events, sensitive, labels } = this.model;
    const eventTypes = Object.keys(events);
    return { id, version, title, statuses, milestones, eventTypes, sensitive, labels };
  }

  #fold({ before, events }: FoldRequest['instances'][number]): Answer['instances'][number] {
    const { model } = this;
    const steps: Record<string, unknown>[] = [];
    const said = (state: unknown) => ({
      state,
      description: model.describe(state),
      keys: model.keys?.(state),
    });
    let state: unknown;
    let start = {};
    try {
      state = before ? before.state : model.initial(events[0] as TrackedEvent);
      if (before?.modelVersion !== model.version) start = { start: said(structuredClone(state)) };
    } catch (error) {
      return { steps, fault: messageOf(error) };
    }
    for (const [index, event] of events.entries())
      try {
        const schema = model.events[event.type];
        const checked = schema?.['~standard'].validate(event.data);
        if (!checked || checked instanceof Promise || checked.issues) {
          steps.push({ accepted: false, reason: 'not taken' });
          continue;
        }
        const first = before === null && index === 0;
        const whole = { ...event, data: checked.value as never };
        const decision = model.transition(whole, structuredClone(state), {
          first,
          recordedAt: event.time,
        });
        if (decision.accepted) {
          state = JSON.parse(JSON.stringify(decision.state)) as unknown;
          steps.push({ accepted: true, after: said(state), effects: decision.effects });
        } else steps.push({ ...decision });
      } catch (error) {
        return { ...start, steps, fault: messageOf(error) };
      }
    return { ...start, steps };
  }
}
