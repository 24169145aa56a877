import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { Item } from '../client/dynamodb.ts';

/**
 * The item that replaces a model's entry when the model is removed. It records the time of the removal, so that an
 * earlier request that is still running cannot register the model again.
 */
export interface RemovedModel {
  readonly id: string;
  /** The ARN of the function that ran the model. */
  readonly functionArn: string;
  /** When the removal was requested, RFC 3339 in UTC. Entries have the same attribute. */
  readonly registeredAt: string;
  readonly removed: true;
}

/** Returns the entry in an item; undefined if there is no item or the model was removed. */
export const entryIn = (item: Item | undefined): RegistryEntry | undefined =>
  item && !item.removed ? (unmarshall(item) as RegistryEntry) : undefined;
