/** The indexes of the instances table, with their key attributes. The indexes project only keys. */
export const instanceIndexes = [
  { indexName: 'by-status', partitionKey: 'statusShard', sortKey: 'changeKey' },
  { indexName: 'by-transaction', partitionKey: 'transactionShard', sortKey: 'transaction' },
  { indexName: 'by-due', partitionKey: 'dueShard', sortKey: 'dueKey' },
  { indexName: 'by-late', partitionKey: 'lateShard', sortKey: 'lateKey' },
  { indexName: 'by-parked', partitionKey: 'parkedShard', sortKey: 'parkedKey' },
] as const;

/** The name of an index of the instances table. */
export type InstanceIndex = (typeof instanceIndexes)[number]['indexName'];
