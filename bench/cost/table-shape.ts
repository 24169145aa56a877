import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import type { Item } from './item-size.ts';

/** What billing has to know of a table. */
export interface TableShape {
  readonly name: string;
  /** The attributes of its primary key. */
  readonly key: readonly string[];
  readonly indexes: readonly IndexShape[];
}

/** A global secondary index. */
export interface IndexShape {
  readonly name: string;
  readonly key: readonly string[];
  /** The attributes that it holds; all of them where left out. */
  readonly attributes?: ReadonlySet<string>;
}

/** Reads it from the definition of a table. */
export function shapeOf({
  TableName,
  KeySchema,
  GlobalSecondaryIndexes = [],
}: CreateTableCommandInput): TableShape {
  const key = namesOf(KeySchema);
  const indexes = GlobalSecondaryIndexes.map((index): IndexShape => {
    const indexKey = namesOf(index.KeySchema);
    const { ProjectionType, NonKeyAttributes = [] } = index.Projection!;
    const shape = { name: index.IndexName!, key: indexKey };
    return ProjectionType === 'ALL'
      ? shape
      : { ...shape, attributes: new Set([...key, ...indexKey, ...NonKeyAttributes]) };
  });
  return { name: TableName!, key, indexes };
}

/** What an index holds of an item; undefined where the item has not all of the index's key. */
export function indexEntry({ key, attributes }: IndexShape, item: Item): Item | undefined {
  if (key.some((name) => item[name] === undefined)) return undefined;
  if (!attributes) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.has(name)));
}

const namesOf = (schema: readonly KeySchemaElement[] = []) =>
  schema.map(({ AttributeName }) => AttributeName!);
