import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../test/support/item-size.ts';

/** The properties of a table that determine what DynamoDB charges for. */
export interface TableShape {
  readonly name: string;
  /** The attributes of the table's primary key. */
  readonly key: readonly string[];
  readonly indexes: readonly IndexShape[];
}

export interface IndexShape {
  readonly name: string;
  readonly key: readonly string[];
  /** The projected attributes. Default: all. */
  readonly attributes?: ReadonlySet<string>;
}

/** Reads the shape from a table definition. */
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

/** Returns the entry of an item in an index, or undefined if the item lacks a key attribute of the index. */
export function indexEntry({ key, attributes }: IndexShape, item: Item): Item | undefined {
  if (key.some((name) => item[name] === undefined)) return undefined;
  if (!attributes) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.has(name)));
}

const namesOf = (schema: readonly KeySchemaElement[] = []) =>
  schema.map(({ AttributeName }) => AttributeName!);
