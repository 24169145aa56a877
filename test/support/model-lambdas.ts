import type { Clock } from '../../src/common/clock.ts';
import { messageOf } from '../../src/common/message-of.ts';
import type { Model } from '../../src/core/model/model.ts';
import type { ModelInvoker, TransitionInvocation } from '../../src/dispatcher/model-invoker.ts';
import { rebuildInstances } from '../../src/model-runtime/audit/rebuild-instances.ts';
import type { StatusRows } from '../../src/model-runtime/audit/status-rows.ts';
import type {
  PositionedEvent,
  RebuildRequest,
  TransitionRequest,
} from '../../src/model-runtime/protocol.ts';
import type { RemoteModel } from '../../src/model-runtime/remote/remote-model.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { MemoryEventStream } from './memory-event-stream.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';
import { MemoryNotifier } from './memory-notifier.ts';
import { MemoryStatusRows } from './memory-status-rows.ts';

/** Models' Lambdas in this process, which can crash on request. */
export class ModelLambdas implements ModelInvoker {
  readonly #model: Model | RemoteModel;
  readonly #store: MemoryInstanceStore;
  readonly #clock: Clock;
  readonly stream = new MemoryEventStream();
  readonly notifier = new MemoryNotifier();
  /** A result makes the whole invocation fail, like a crash. */
  crash: (events: readonly PositionedEvent[]) => TransitionInvocation | undefined = () => undefined;
  invokes = 0;
  readonly rows: StatusRows;

  constructor(model: Model | RemoteModel, store: MemoryInstanceStore, clock: Clock) {
    this.rows = new MemoryStatusRows(store);
    this.#model = model;
    this.#store = store;
    this.#clock = clock;
  }

  async transition(
    _: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation> {
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
      const outcomes =
        request.op === 'rebuild'
          ? await rebuildInstances({ ...environment, rows: this.rows }, request.events)
          : await transition(environment, request.events, request);
      return { kind: 'answered', answer: { outcomes } };
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }
}
