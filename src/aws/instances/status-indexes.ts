import type { StatusAttribute } from './status-attributes.ts';

/** The global secondary indexes of the instances table and their key attributes. The indexes project only keys. */
export const statusIndexes = {
  /** A model's instances with a given status, by the latest change to their rows. */
  byStatus: { name: 'by-status', partition: 'statusShard', sort: 'changeKey' },
  /** A model's instances, by transaction id. */
  byTransaction: { name: 'by-transaction', partition: 'transactionShard', sort: 'transaction' },
  /**
   * The due timer index: the instances that the clock has to visit, by when their next timer is due or they become
   * late.
   */
  byDue: { name: 'by-due', partition: 'dueShard', sort: 'dueKey' },
  /** The instances that are or will be late or at risk, by when they first become at risk or late. */
  byLate: { name: 'by-late', partition: 'lateShard', sort: 'lateKey' },
  /** The instances with parked events, by the arrival of the oldest parked event. */
  byParked: { name: 'by-parked', partition: 'parkedShard', sort: 'parkedKey' },
} as const satisfies Readonly<
  Record<string, { name: string; partition: StatusAttribute; sort: StatusAttribute }>
>;
