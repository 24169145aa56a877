import type {
  CounterState,
  CounterStateStore,
  StoredCounterState,
} from '../../../counter/rebuild/counter-state.ts';
import type { DynamoDb, Item } from '../../client/dynamodb.ts';
import { parseStored } from '../../dynamodb/stored-json.ts';
import { tryConditionalWrite } from '../../dynamodb/try-conditional-write.ts';

/** The key of the item with the counters' state. */
export const stateKey = { pk: { S: 'state' }, sk: { S: 'state' } } as const;

/** The state before the first rebuild. */
const firstState: CounterState = { current: { number: 0 } };

/** Stores the counters' state in an item in the counters table. */
export class DynamoDbCounterStates implements CounterStateStore {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async read(): Promise<StoredCounterState> {
    const { Item: item } = await this.#client.getItem({
      TableName: this.#table,
      Key: { ...stateKey },
      ConsistentRead: true,
    });
    return { state: stateIn(item), revision: Number(item?.revision?.N ?? 0) };
  }

  async write(
    state: CounterState,
    { revision }: StoredCounterState,
  ): Promise<'written' | 'conflict'> {
    const isWritten = await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: {
          ...stateKey,
          state: { S: JSON.stringify(state) },
          revision: { N: String(revision + 1) },
        },
        ...(revision === 0
          ? { ConditionExpression: 'attribute_not_exists(revision)' }
          : {
              ConditionExpression: 'revision = :revision',
              ExpressionAttributeValues: { ':revision': { N: String(revision) } },
            }),
      }),
    );
    return isWritten ? 'written' : 'conflict';
  }
}

/** Parses the item with the state. It does not exist before the first rebuild. */
export const stateIn = (item: Item | undefined): CounterState =>
  item ? parseStored<CounterState>(item.state!.S!) : firstState;
