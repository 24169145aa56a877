import { promisify } from 'node:util';
import type { GlobalIndex, Index, Store, Table } from 'dynalite/db/index.js';
import createTableRules from 'dynalite/validations/createTable.js';
import updateTableRules from 'dynalite/validations/updateTable.js';
import { validate } from './dynalite-operations.ts';
import { DynamoDbError, validationError } from './dynamodb-error.ts';
import { findTable, withTableLock } from './find-table.ts';
import type { JsonOperation } from './json-operations.ts';
import { databaseKey, indexOperations, indexPrefix, typesOf } from './optimize-store.ts';
import { withLockedItems } from './transactions/with-locked-items.ts';
import { readItem } from './write-items.ts';

/** Sorts after the rest of any key of an item or index entry, because the rest starts with a hexadecimal digit. */
const end = '\u00ff';

type NewIndex = Omit<GlobalIndex, 'IndexStatus'>;

interface IndexUpdate {
  readonly Create?: NewIndex;
  readonly Update?: object;
  readonly Delete?: { readonly IndexName: string };
}

interface UpdateTableRequest {
  readonly TableName: string;
  readonly AttributeDefinitions?: Table['AttributeDefinitions'];
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[];
  readonly BillingMode?: string;
  readonly ProvisionedThroughput?: object;
}

/**
 * Implements UpdateTable for requests that create or delete a global secondary index, which dynalite would ignore. The
 * response is sent when the index contains all items. dynalite executes all other requests.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 */
export function updateIndexes(store: Store): JsonOperation {
  return (request) => {
    const valid = validate(store, updateTableRules, request as UpdateTableRequest);
    const { TableName, GlobalSecondaryIndexUpdates: updates = [] } = valid;
    const changes = updates.filter(({ Create, Delete }) => Create ?? Delete);
    const [change] = changes;
    if (change === undefined) return undefined;
    if (changes.length > 1 || (change.Create && change.Delete))
      throw new DynamoDbError(
        'LimitExceededException',
        'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
      );
    if (updates.length > 1 || change.Update || valid.BillingMode || valid.ProvisionedThroughput)
      throw validationError(
        'the local endpoint cannot create or delete an index together with other changes to the table',
      );
    return withTableLock(store, TableName, async () => {
      const table = await findTable(store, TableName);
      if (table.TableStatus !== 'ACTIVE')
        throw new DynamoDbError(
          'ResourceInUseException',
          `Attempt to change a resource which is still in use: Table is being created or updated: ${TableName}`,
        );
      const changed = change.Create
        ? await createIndex(store, table, change.Create, valid.AttributeDefinitions)
        : await deleteIndex(store, table, change.Delete?.IndexName ?? '');
      return { TableDescription: changed };
    });
  };
}

/** Adds an index and its entries for all existing items. */
async function createIndex(
  store: Store,
  table: Table,
  created: NewIndex,
  definitions: Table['AttributeDefinitions'],
): Promise<Table> {
  const { GlobalSecondaryIndexes: existing = [], TableName } = table;
  const defined: Table = { ...table, AttributeDefinitions: addDefinitions(table, definitions) };
  const problem = indexProblem(store, defined, created);
  if (problem !== undefined) throw validationError(problem);
  const index = describeIndex(table, created);
  const all = { ...defined, GlobalSecondaryIndexes: [...existing, index] };
  const changing: Table = {
    ...all,
    TableStatus: 'UPDATING',
    AttributeDefinitions: usedDefinitions(all),
  };
  await deleteEntries(store, table, index.IndexName);
  // From now on, writes of items also write the entries of the new index.
  await promisify(store.tableDb.put)(TableName, changing);
  await indexItems(store, {
    ...changing,
    LocalSecondaryIndexes: [],
    GlobalSecondaryIndexes: [index],
  });
  const active: Table = {
    ...changing,
    TableStatus: 'ACTIVE',
    GlobalSecondaryIndexes: [...existing, { ...index, IndexStatus: 'ACTIVE' }],
  };
  await promisify(store.tableDb.put)(TableName, active);
  return active;
}

/** Returns a table's attribute definitions, followed by the new definitions in a request. */
function addDefinitions(
  table: Table,
  requested: Table['AttributeDefinitions'] = [],
): NonNullable<Table['AttributeDefinitions']> {
  const types = typesOf(table);
  const added = requested.filter(({ AttributeName, AttributeType }) => {
    const type = types.get(AttributeName);
    if (type !== undefined && type !== AttributeType)
      throw validationError(
        `AttributeDefinitions must not change the type of the key attribute ${AttributeName} from ${type} to ${AttributeType}`,
      );
    return type === undefined;
  });
  return [...(table.AttributeDefinitions ?? []), ...added];
}

/** Returns a message if a table must not have a new index. */
function indexProblem(store: Store, table: Table, created: NewIndex): string | undefined {
  const BillingMode = table.BillingModeSummary?.BillingMode ?? 'PROVISIONED';
  const isOnDemand = BillingMode === 'PAY_PER_REQUEST';
  if (!isOnDemand && created.ProvisionedThroughput === undefined)
    return `One or more parameter values were invalid: ProvisionedThroughput must be specified for index: ${created.IndexName}`;
  // The rules of CreateTable check the result. These rules expect no throughput for a table with on-demand capacity.
  const asRequested = <T extends { ProvisionedThroughput?: object }>(described: T) =>
    isOnDemand ? { ...described, ProvisionedThroughput: undefined } : described;
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(asRequested);
  return createTableRules.custom(
    { ...asRequested(table), BillingMode, GlobalSecondaryIndexes: [...indexes, created] },
    store,
  );
}

/** Describes a new index as dynalite's CreateTable does. */
const describeIndex = ({ TableArn }: Table, created: NewIndex): GlobalIndex => ({
  ...created,
  ...{ IndexArn: `${TableArn}/index/${created.IndexName}`, IndexSizeBytes: 0, ItemCount: 0 },
  IndexStatus: 'CREATING',
  ProvisionedThroughput: {
    ...(created.ProvisionedThroughput ?? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }),
    NumberOfDecreasesToday: 0,
  },
});

/** Writes the entries of all items in the indexes of `table`. */
async function indexItems(store: Store, table: Table): Promise<void> {
  const prefix = databaseKey(table, '');
  for await (const [itemKey] of store.db.iterator({ gte: prefix, lt: prefix + end })) {
    const key = itemKey.slice(prefix.length);
    await withLockedItems(store, [{ table, key }], async () => {
      const item = readItem(store, table, key);
      const operations = indexOperations(table, undefined, item);
      if (operations.length > 0) await promisify(store.db.batch)(operations);
    });
  }
}

async function deleteIndex(store: Store, table: Table, name: string): Promise<Table> {
  const isOther = ({ IndexName }: Index) => IndexName !== name;
  if ((table.GlobalSecondaryIndexes ?? []).every(isOther))
    throw new DynamoDbError(
      'ResourceNotFoundException',
      `Requested resource not found: Index: ${name} not found`,
    );
  const changed = withIndexes(table, isOther);
  await promisify(store.tableDb.put)(table.TableName, changed);
  await deleteEntries(store, table, name);
  return changed;
}

function deleteEntries(store: Store, table: Table, index: string): Promise<void> {
  const prefix = indexPrefix('Global', table, index);
  return store.db.clear({ gte: prefix, lt: prefix + end });
}

/** Removes the indexes of a table that do not contain all items yet. */
export const withoutIncompleteIndexes = (table: Table): Table =>
  withIndexes(table, ({ IndexStatus }) => IndexStatus !== 'CREATING');

/**
 * Removes the global indexes for which `isKept` returns false, and the definitions of attributes that only the removed
 * indexes use.
 */
function withIndexes(table: Table, isKept: (index: GlobalIndex) => boolean): Table {
  const { GlobalSecondaryIndexes: indexes = [], ...others } = table;
  const kept = indexes.filter(isKept);
  const changed = kept.length > 0 ? { ...others, GlobalSecondaryIndexes: kept } : others;
  return { ...changed, AttributeDefinitions: usedDefinitions(changed) };
}

/** Returns the definitions of the attributes that are part of a key of the table or of an index. */
function usedDefinitions(table: Table): NonNullable<Table['AttributeDefinitions']> {
  const { LocalSecondaryIndexes: local = [], GlobalSecondaryIndexes: global = [] } = table;
  const used = new Set(
    [table, ...local, ...global].flatMap(({ KeySchema }) =>
      KeySchema.map(({ AttributeName }) => AttributeName),
    ),
  );
  return (table.AttributeDefinitions ?? []).filter(({ AttributeName }) => used.has(AttributeName));
}
