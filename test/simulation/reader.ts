import { MemoryCheckpoints } from '../../src/aws-local/event-source/checkpoints.ts';
import type { EventSourceMapping } from '../../src/aws-local/event-source/event-source-mapping.ts';
import { lanes } from './audit/isolation.ts';
import type { Environment } from './environment.ts';
import { startSource } from './event-source.ts';
import type { Account, Lambdas } from './lambdas.ts';
import type { SimulatedStream } from './stream.ts';

const mapping = {
  uuid: 'mapping',
  streamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/events',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:dispatcher',
  roleArn: 'arn:aws:iam::000000000000:role/dispatcher',
};

/** The properties of the deployed event source, but with 100 instead of 500 records per batch. */
const asDeployed = {
  BatchSize: 100,
  ParallelizationFactor: lanes,
  MaximumBatchingWindowInSeconds: 0,
};

/** The event source, which can be killed and restarted from its checkpoints. */
export class Reader {
  readonly #account: Account;
  readonly #stream: SimulatedStream;
  readonly #lambdas: Lambdas;
  readonly #properties: {
    readonly BatchSize: number;
    readonly ParallelizationFactor: number;
    readonly MaximumBatchingWindowInSeconds: number;
  };
  #checkpoints = new MemoryCheckpoints();
  #process: { readonly source: EventSourceMapping; readonly environment: Environment };

  constructor(account: Account, stream: SimulatedStream, lambdas: Lambdas) {
    const { chance } = account;
    this.#account = account;
    this.#stream = stream;
    this.#lambdas = lambdas;
    this.#properties = {
      // Use large batches for thousands of events, which take too long in small ones.
      BatchSize: chance.pick(account.flood ? [100, 500] : [1, 5, 20, 500]),
      ParallelizationFactor: chance.pick([1, 2, 10]),
      MaximumBatchingWindowInSeconds: chance.pick([0, 0, 1]),
      ...(account.nuisance && asDeployed),
    };
    this.#process = this.#start();
  }

  /** Resolves when every record on the stream is processed. */
  idle(): Promise<void> {
    return this.#process.source.waitUntilIdle();
  }

  stop(): Promise<void> {
    return this.#process.source.stop();
  }

  /** Crashes the process of the event source and starts another process that continues from the checkpoints. */
  crash(): void {
    const { source, environment } = this.#process;
    environment.die('the event source exited');
    this.#account.log.overlapped = true;
    void source.stop();
    this.#process = this.#start();
  }

  /** Deletes the checkpoints so that every record on the stream is redelivered. */
  rewind(): void {
    this.#checkpoints = new MemoryCheckpoints();
    this.crash();
  }

  #start() {
    const { sabotage, count } = this.#account;
    const intact = this.#checkpoints;
    return startSource(this.#account, 'event source', {
      mapping,
      properties: { ...this.#properties, ...sabotage.mapping },
      reader: this.#stream,
      invoke: (event) => this.#lambdas.dispatch(event),
      checkpoints: sabotage.checkpoints?.(intact) ?? intact,
      log: (message) => count(`event source: ${message.split(':')[0]}`),
    });
  }
}
