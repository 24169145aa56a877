import { EventSourceMapping } from '../../src/aws-local/event-source/event-source-mapping.ts';
import type {
  EventSourceOptions,
  InvocationResult,
} from '../../src/aws-local/event-source/options.ts';
import { Environment, type Surroundings } from './environment.ts';
import type { Ended } from './lambda.ts';
import { never } from './network.ts';

/** The options that differ between the event sources of a run. */
type SourceOptions = Pick<
  EventSourceOptions,
  'mapping' | 'reader' | 'invoke' | 'checkpoints' | 'log'
> & { readonly properties: object };

/**
 * Starts an event source in a separate process. After a crash of its process, it neither invokes the function nor saves
 * checkpoints.
 */
export function startSource(around: Surroundings, name: string, options: SourceOptions) {
  const { chance, clock } = around;
  const { properties, invoke, checkpoints } = options;
  const environment = new Environment(around, name);
  const source = new EventSourceMapping({
    ...options,
    properties: {
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ...properties,
    },
    invoke: (event, signal) => (environment.alive ? invoke(event, signal) : never()),
    checkpoints: {
      load: () => checkpoints.load(),
      save: (positions) => (environment.alive ? checkpoints.save(positions) : never()),
    },
    clock,
    random: chance,
    pollIntervalMs: 500,
    stopTimeoutMs: 0,
  });
  void source.start();
  return { source, environment };
}

/**
 * Returns the result of an invocation to its event source, which can time out while the invocation continues.
 *
 * @param onGivenUp called when it times out.
 */
export async function awaited(
  { chance, clock, weather }: Surroundings,
  invocation: Promise<Ended<unknown>>,
  onGivenUp: () => void,
): Promise<InvocationResult> {
  if (chance.happens(weather.abandoned)) {
    onGivenUp();
    await clock.sleep(chance.whole(1, 2 * weather.longest));
    return { kind: 'unavailable', message: 'no response in time' };
  }
  const ended = await invocation;
  return 'failed' in ended
    ? { kind: 'functionError', functionError: 'Unhandled', message: ended.failed }
    : { kind: 'ok', response: ended.answer };
}
