import { deadLetterRoutes } from '../../src/api/dead-letters/dead-letter-routes.ts';
import { Problem } from '../../src/api/http/problem.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { instanceOf } from '../../src/aws/instances/instance-keys.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { Chance } from '../../src/common/chance.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { dataKeysIn } from './data-keys.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';
import { macsIn } from './macs.ts';
import { kinesisClientOf } from './outlets.ts';
import type { Producer } from './producer.ts';

/**
 * An operator who rebuilds instances and deletes parked events. The operator draws separate random numbers so that the
 * other parts of a run do not depend on them.
 */
export class Operator {
  readonly #account: Account;
  readonly #producer: Producer;
  readonly #chance: Chance;

  constructor(account: Account, producer: Producer, seed: number) {
    this.#account = account;
    this.#producer = producer;
    this.#chance = new Chance(seed + 7e9);
  }

  /** Acts at random times within at most a minute. */
  async trouble(): Promise<void> {
    await Promise.all([
      this.#often(8, () => this.#rebuild()),
      this.#often(15, () => this.#deleteParked()),
    ]);
  }

  async #often(most: number, act: () => void | Promise<void>): Promise<void> {
    for (let n = this.#chance.whole(0, most); n > 0; n--) {
      await this.#account.clock.sleep(this.#chance.whole(0, 60_000 / most));
      await act();
    }
  }

  #rebuild(): void {
    const { count, database } = this.#account;
    const items = database.items('instances');
    const names = new Set(items.map(({ pk }) => pk!.S!).filter((name) => !name.startsWith('#')));
    if (names.size === 0) return;
    count('rebuilds of instances');
    const instance = instanceOf(this.#chance.pick([...names]));
    this.#producer.rebuild(instance, this.#chance.happens(0.3));
  }

  /** Deletes the dead letter of a parked event so that its instance skips the event. Repeats a failed request. */
  async #deleteParked(): Promise<void> {
    const { clock, count, database, log } = this.#account;
    // The clock fires a timer again whose event was deleted.
    const parked = database
      .items('letters')
      .filter(({ parked, eventId }) => parked && !eventId?.S?.startsWith('timer/'));
    if (parked.length === 0) return;
    const id = this.#chance.pick(parked).sk!.S!;
    count('deletions of parked events');
    log.deleted.add(id);
    for (let status = 0; status !== 204 && status !== 404; ) {
      const environment = new Environment(this.#account, 'api');
      status = await Promise.race([this.#delete(environment, id), environment.died.then(() => 0)]);
      await clock.sleep(1_000);
    }
  }

  /** Sends a request to the API and returns the status of its response. */
  async #delete(environment: Environment, id: string): Promise<number> {
    const { clock } = environment;
    const client = dynamoDbClientOf(this.#account, environment);
    const kinesis = kinesisClientOf(this.#account, environment, 'dispatcher');
    const stream = new KinesisEventStream(kinesis, 'events', clock);
    const api = deadLetterRoutes({
      deadLetters: new DynamoDbDeadLetterStore(client, 'letters', clock),
      parking: new DynamoDbParkingStore(client, 'instances', clock),
      dataKeys: dataKeysIn(this.#account, environment),
      models: this.#account.registry,
      stream,
      ownStream: new SignedStream(stream, macsIn(this.#account, environment)),
      clock,
      logError: () => undefined,
    });
    api.onError((error, context) =>
      context.body(null, error instanceof Problem ? error.status : 500),
    );
    return (await api.request(`/${id}`, { method: 'DELETE' })).status;
  }
}
