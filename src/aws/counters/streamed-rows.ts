import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { countersOf } from '../../core/counters/counter.ts';
import type { RowChange, RowState } from '../../counter/row-change.ts';
import { statusKey } from '../instances/instance-keys.ts';
import { queueVersionOf } from '../instances/queue-row.ts';
import type { StatusItem } from '../instances/status-attributes.ts';
import { isMarkedLate, toStatusRow, versionIn } from '../instances/status-item.ts';

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
export function rowStateIn(item: StatusItem): RowState {
  return {
    version: versionIn(item),
    queueVersion: queueVersionOf(item),
    isLate: isMarkedLate(item),
    counters: countersIn(item),
  };
}

function countersIn(item: StatusItem): RowState['counters'] {
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
const itemOf = (image: Readonly<Record<string, AttributeValue>>) => image as StatusItem;
