import type { Clock } from '../../common/clock.ts';
import type { Marker, Markers } from '../../counter/markers.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { executeStatements, insertStatement } from '../dynamodb/execute-statements.ts';
import { rebuildExpiry } from './rebuild-expiry.ts';

/** The sort key of a marker. Each marker has its own partition. */
const markerKey = 'marker';

const keyOf = (generation: number, instance: string) => ({
  pk: { S: `marker#${generation}#${instance}` },
  sk: { S: markerKey },
});

/** Stores the markers of counter rebuilds in the counters table. DynamoDB deletes expired markers. */
export class DynamoDbMarkers implements Markers {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async claim(generation: number, markers: readonly Marker[]): Promise<Map<string, Marker>> {
    const expiresAt = rebuildExpiry(this.#clock);
    const results = await executeStatements(
      this.#client,
      markers.map((marker) => insertStatement(this.#table, toItem(generation, marker, expiresAt))),
    );
    const claimed = new Map<string, Marker>();
    const others: string[] = [];
    for (const [n, result] of results.entries()) {
      const marker = markers[n]!;
      if ('error' in result) throw result.error;
      if (result.value === 'done') claimed.set(marker.instance, marker);
      else others.push(marker.instance);
    }
    for (const marker of (await this.read(generation, others)).values())
      claimed.set(marker.instance, marker);
    return claimed;
  }

  async read(generation: number, instances: readonly string[]): Promise<Map<string, Marker>> {
    if (instances.length === 0) return new Map();
    const keys = instances.map((instance) => keyOf(generation, instance));
    const items = await batchGet(this.#client, this.#table, keys, { clock: this.#clock });
    return new Map(items.map(fromItem).map((marker) => [marker.instance, marker]));
  }
}

const toItem = (
  generation: number,
  { instance, version, queueVersion, isLate, writer }: Marker,
  expiresAt: Item[string],
): Item => ({
  ...keyOf(generation, instance),
  instance: { S: instance },
  version: { N: String(version) },
  queueVersion: { N: String(queueVersion) },
  late: { BOOL: isLate },
  writer: { S: writer },
  expiresAt,
});

const fromItem = ({ instance, version, queueVersion, late, writer }: Item): Marker => ({
  instance: instance!.S!,
  version: Number(version!.N),
  queueVersion: Number(queueVersion!.N),
  isLate: late!.BOOL!,
  writer: writer!.S!,
});
