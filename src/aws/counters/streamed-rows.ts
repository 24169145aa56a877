import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { countersOf } from '../../core/counters/counter.ts';
import type { RowChange, RowState } from '../../counter/row-change.ts';
import type { Item } from '../client/dynamodb.ts';
import { queueVersionOf } from '../dead-letters/queue-row.ts';
import { statusKey } from '../instances/instance-keys.ts';
import { isMarkedLate, toStatusRow } from '../instances/status-item.ts';

/**
 * Selects the changes to status rows among the records from the table's stream. The event source mapping's filter
 * already excludes other records.
 */
export function streamedRows(records: readonly DynamoDBRecord[]): RowChange[] {
  return records.flatMap(({ dynamodb }) => {
    const { Keys, SequenceNumber, ApproximateCreationDateTime, OldImage, NewImage } = dynamodb!;
    if (Keys!.sk!.S !== statusKey) return [];
    return [
      {
        instance: Keys!.pk!.S!,
        sequence: SequenceNumber!,
        at: ApproximateCreationDateTime! * 1_000,
        before: OldImage && rowStateIn(itemOf(OldImage)),
        after: NewImage && rowStateIn(itemOf(NewImage)),
      },
    ];
  });
}

/** Parses a status row's state. */
export function rowStateIn(item: Item): RowState {
  return {
    version: Number(item.version?.N ?? 0),
    queueVersion: queueVersionOf(item),
    isLate: isMarkedLate(item),
    counters: countersIn(item),
  };
}

function countersIn(item: Item): RowState['counters'] {
  // The announcement of a queue change can create a row without other attributes.
  if (!item.version) return [];
  try {
    return countersOf({ ...toStatusRow(item), isLate: isMarkedLate(item) });
  } catch {
    // Lists also omit a malformed row. The row is counted when it is repaired.
    return [];
  }
}

/** Status rows have no binary attributes, so stream records and API responses contain them in the same format. */
const itemOf = (image: Readonly<Record<string, AttributeValue>>) => image as Item;
