import type { ModelInvoker, TransitionInvocation } from '../../../src/dispatcher/model-invoker.ts';
import type {
  EventOutcome,
  PositionedEvent,
  RebuildRequest,
  TransitionRequest,
} from '../../../src/model-runtime/protocol.ts';

/** A stand-in for the models' functions, which applies every event unless a test overrides the response. */
export class StubInvoker implements ModelInvoker {
  readonly calls: { readonly functionArn: string; readonly events: readonly PositionedEvent[] }[] =
    [];
  /** Returns a response to use instead of the default. If undefined, every event is applied. */
  respond: (
    events: readonly PositionedEvent[],
    functionArn: string,
  ) => TransitionInvocation | undefined = () => undefined;

  async transition(
    functionArn: string,
    { events }: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation> {
    this.calls.push({ functionArn, events });
    await Promise.resolve();
    return (
      this.respond(events, functionArn) ?? answered(events.map(() => ({ outcome: 'applied' })))
    );
  }

  /** The event ids of each call. */
  get ids(): string[][] {
    return this.calls.map(({ events }) => events.map(({ event }) => event.id));
  }
}

export const answered = (outcomes: readonly EventOutcome[]): TransitionInvocation => ({
  kind: 'answered',
  answer: { outcomes },
});
