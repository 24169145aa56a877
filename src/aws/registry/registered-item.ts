import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RegistryRequest } from '../../registrar/register-model.ts';
import type { Item } from '../client/dynamodb.ts';

/** The attributes that a model's entry and the item with its versions have in common. */
export interface RegisteredItem {
  readonly id: string;
  /**
   * When the latest request or rollback that changed the item was sent, RFC 3339 in UTC; undefined if the item was
   * stored before it had a time.
   */
  readonly registeredAt?: string;
  /**
   * The CloudFormation resource that registered the model; undefined if the item was stored before items named their
   * resource.
   */
  readonly registeredBy?: string;
  /** The item of the resource that `registeredBy` replaced: see `replacedBy`. */
  readonly replaced?: RegisteredItem;
}

/**
 * The item that replaces a model's entry when the model is removed. It records the time of the removal so that an
 * earlier request that is still running cannot register the model again.
 */
export interface RemovedModel extends RegisteredItem {
  readonly removed: true;
}

/** Returns the entry; undefined if there is none or the model was removed. */
export const entryOf = (
  stored: RegistryEntry | RemovedModel | undefined,
): RegistryEntry | undefined => (stored && !('removed' in stored) ? stored : undefined);

/** Returns the entry in an item; undefined if there is no item or the model was removed. */
export const entryIn = (item: Item | undefined): RegistryEntry | undefined =>
  item && entryOf(unmarshall(item) as RegistryEntry | RemovedModel);

/**
 * Returns the item of another resource that a request replaces. If a deployment moves a model to another resource, it
 * creates the new resource before it deletes the old one. If the deployment fails, its rollback only deletes the new
 * resource. The item of the old resource is therefore kept until CloudFormation deletes the old resource or updates the
 * new one.
 */
export function replacedBy<Stored extends RegisteredItem>(
  { type, resource }: RegistryRequest,
  before: Stored | undefined,
): Stored | undefined {
  if (type !== 'Create' || !before) return undefined;
  // Lambda can deliver a request twice.
  if (before.registeredBy === resource) return before.replaced as Stored | undefined;
  return { ...before, replaced: undefined };
}

/**
 * Returns a model's item after the deletion of a resource: the item that the resource replaced, or undefined if there
 * is none. The item of another resource remains but gets the time of the request so that an earlier creation that is
 * still running cannot replace it.
 */
export function afterDeletion<Stored extends RegisteredItem>(
  { resource, at }: RegistryRequest,
  before: Stored | undefined,
): Stored | undefined {
  if (!before) return undefined;
  if (before.registeredBy === resource)
    return before.replaced && ({ ...before.replaced, registeredAt: at } as Stored);
  const replaced = before.replaced?.registeredBy === resource ? undefined : before.replaced;
  return { ...before, registeredAt: at, replaced };
}
