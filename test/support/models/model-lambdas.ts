import type { Clock } from '../../../src/common/clock.ts';
import { messageOf } from '../../../src/common/message-of.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type { ModelInvoker, TransitionInvocation } from '../../../src/dispatcher/model-invoker.ts';
import { rebuildInstances } from '../../../src/model-runtime/audit/rebuild-instances.ts';
import type {
  PositionedEvent,
  RebuildRequest,
  TransitionRequest,
} from '../../../src/model-runtime/protocol.ts';
import type { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import { transition } from '../../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../aws-in-memory/event-stream-in-memory.ts';
import type { InstancesInMemory } from '../aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../aws-in-memory/notifier-in-memory.ts';

/** A model's Lambda function, which runs in this process and can crash on request. */
export class ModelLambdas implements ModelInvoker {
  readonly #model: Model | ModelFunction;
  readonly #instances: Pick<InstancesInMemory, 'store' | 'rows'>;
  readonly #clock: Clock;
  readonly stream = new EventStreamInMemory();
  readonly notifier = new NotifierInMemory();
  /** Returns a result that fails the whole invocation, like a crash; undefined to run the model. */
  crash: (events: readonly PositionedEvent[]) => TransitionInvocation | undefined = () => undefined;
  invokes = 0;

  constructor(
    model: Model | ModelFunction,
    instances: Pick<InstancesInMemory, 'store' | 'rows'>,
    clock: Clock,
  ) {
    this.#model = model;
    this.#instances = instances;
    this.#clock = clock;
  }

  async transition(
    _: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation> {
    this.invokes++;
    const crashed = this.crash(request.events);
    if (crashed) return crashed;
    const { store, rows } = this.#instances;
    const environment = {
      model: this.#model,
      store,
      stream: this.stream,
      notifier: this.notifier,
      clock: this.#clock,
    };
    try {
      const outcomes =
        request.op === 'rebuild'
          ? await rebuildInstances({ ...environment, rows }, request.events)
          : await transition(environment, request.events, request);
      return { kind: 'answered', answer: { outcomes } };
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }
}
