import type { Clock } from '../../src/core/clock.ts';
import { messageOf } from '../../src/core/errors.ts';
import type { Model } from '../../src/core/model.ts';
import type { AskedModel } from '../../src/service/model-function/asked-model.ts';
import type { InstanceStore, Invocation, ModelInvoker } from '../../src/service/ports.ts';
import type { PositionedEvent, TransitionRequest } from '../../src/service/protocol.ts';
import { transition } from '../../src/service/transition.ts';
import { MemoryEventStream } from './memory-event-stream.ts';
import { MemoryNotifier } from './memory-notifier.ts';

/** Models' Lambdas in this process, which can be told to crash. */
export class ModelLambdas implements ModelInvoker {
  readonly #model: Model | AskedModel;
  readonly #store: InstanceStore;
  readonly #clock: Clock;
  readonly stream = new MemoryEventStream();
  readonly notifier = new MemoryNotifier();
  /** What it returns fails the whole invoke, as a crash does. */
  crash: (events: readonly PositionedEvent[]) => Invocation | undefined = () => undefined;
  invokes = 0;

  constructor(model: Model | AskedModel, store: InstanceStore, clock: Clock) {
    this.#model = model;
    this.#store = store;
    this.#clock = clock;
  }

  async transition(_: string, request: TransitionRequest): Promise<Invocation> {
    this.invokes++;
    const crashed = this.crash(request.events);
    if (crashed) return crashed;
    const environment = {
      model: this.#model,
      store: this.#store,
      stream: this.stream,
      notifier: this.notifier,
      clock: this.#clock,
    };
    try {
      const outcomes = await transition(environment, request.events, request);
      return { kind: 'answered', answer: { outcomes } };
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }
}
