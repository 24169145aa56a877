import { hash } from 'node:crypto';
import type { AttributeValue, StreamViewType } from '@aws-sdk/client-dynamodb';
import db, { type Item } from 'dynalite/db/index.js';
import { region } from '../../account.ts';
import type { StoredStream } from './stored-stream.ts';

/**
 * A record of a change stream in the format of GetRecords.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export interface ChangeRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly dynamodb: {
    /** The time of the change, in seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: StreamViewType;
  };
  /** Present only if DynamoDB deleted the item because it had expired. */
  readonly userIdentity?: { readonly PrincipalId: string; readonly Type: string };
}

/** A change to an item. Without `before`, the change creates the item; without `after`, it deletes the item. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** True if the item is deleted because it has expired. */
  readonly isExpiry: boolean;
}

/**
 * Builds the record of a change. Returns undefined if the item stays the same, because AWS writes no record in this
 * case.
 */
export function changeRecord(
  { arn, keySchema, viewType }: Pick<StoredStream, 'arn' | 'keySchema' | 'viewType'>,
  { before, after, isExpiry }: ItemChange,
  SequenceNumber: string,
  now: number,
): ChangeRecord | undefined {
  const item = after ?? before;
  if (item === undefined || (before && after && isSameItem(before, after))) return undefined;
  const Keys = Object.fromEntries(
    keySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]!]),
  );
  const images = {
    ...(after && viewType.startsWith('NEW') && { NewImage: after }),
    ...(before && viewType.includes('OLD_IMAGE') && { OldImage: before }),
  };
  const sizes = [Keys, ...Object.values(images)].map((each) => db.itemSize(each));
  return {
    eventID: hash('md5', `${arn} ${SequenceNumber}`),
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1_000),
      Keys,
      ...images,
      SequenceNumber,
      SizeBytes: sizes.reduce((sum, size) => sum + size, 0),
      StreamViewType: viewType,
    },
    ...(isExpiry && { userIdentity: { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' } }),
  };
}

function isSameItem(one: Item, other: Item): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name]!, other[name]!))
  );
}

/** Compares attribute values. The elements of a set have no order. */
function isSameValue(one: AttributeValue, other: AttributeValue): boolean {
  const [type, value] = Object.entries(one)[0] as [string, unknown];
  const otherValue = (other as unknown as Record<string, unknown>)[type];
  if (otherValue === undefined) return false;
  if (type === 'M') return isSameItem(value as Item, otherValue as Item);
  if (!Array.isArray(value) || !Array.isArray(otherValue)) return value === otherValue;
  if (value.length !== otherValue.length) return false;
  if (type === 'L') return value.every((each, index) => isSameValue(each, otherValue[index]));
  const elements = new Set<unknown>(otherValue);
  return value.every((each) => elements.has(each));
}
