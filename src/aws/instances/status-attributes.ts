import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../client/dynamodb.ts';

/** The names of the attributes that are derived from a commit: see `derivedAttributes`. */
const derived = [
  'version',
  'modelVersion',
  'status',
  'done',
  'progress',
  'startedAt',
  'updatedAt',
  'statusSince',
  'changeKey',
  'statusShard',
  'transactionShard',
  'transaction',
  'deadlines',
  'businessKeys',
  'dueAt',
  'dueShard',
  'dueKey',
  'lateAt',
  'lateMilestone',
  'riskAt',
  'riskMilestone',
  'lateShard',
  'lateKey',
  'late',
] as const;

/** The names of the attributes that describe the queue of parked events: see `queue-row.ts`. */
const ofQueue = ['parked', 'parking', 'queueVersion', 'parkedShard', 'parkedKey'] as const;

const names = ['pk', 'sk', ...derived, ...ofQueue] as const;

/** The name of an attribute of a status row. */
export type StatusAttribute = (typeof names)[number];

/** The names of a status row's attributes, for expressions. */
export const statusAttributes = Object.fromEntries(names.map((name) => [name, name])) as {
  readonly [Name in StatusAttribute]: Name;
};

/** A status row, or some of its attributes. */
export type StatusItem = { readonly [name in StatusAttribute]?: AttributeValue };

/** All attributes that are derived from a commit; undefined if the row does not have the attribute. */
export type DerivedAttributes = {
  readonly [name in (typeof derived)[number]]: AttributeValue | undefined;
};

/** Returns the attributes that a row has. */
export const presentAttributes = (attributes: DerivedAttributes): Item =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, AttributeValue] => !!entry[1]),
  );

/** Returns the names of the attributes that a row does not have. An update removes those of an earlier row. */
export const absentAttributes = (attributes: DerivedAttributes): string[] =>
  derived.filter((name) => !attributes[name]);
