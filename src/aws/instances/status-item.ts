import type { StatusRow } from '../../core/status/status-row.ts';
import type { Item } from '../client/dynamodb.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import { indexPartitionOf, instanceOf, statusIndexKey } from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';
import { queueSummaryIn } from './queue-row.ts';
import { type DerivedAttributes, presentAttributes, type StatusItem } from './status-attributes.ts';
import { changeKeyOf, indexKeysOf } from './status-index-keys.ts';

/** A logical index key that no list reads. Model ids are never empty, so it matches no model. */
const unlisted = '#unlisted';

/** Returns a status row's attributes that are derived from a commit: see `derivedAttributes`. */
export const attributesOf = (row: StatusRow, partitions: Partitions): Item =>
  presentAttributes(derivedAttributes(row, partitions));

/**
 * Derives the attributes of a status row from a commit.
 *
 * @param partitions the numbers of partitions across which the index keys are distributed.
 * @param isMarkedLate whether the clock has marked the instance as late since the commit.
 */
export function derivedAttributes(
  row: StatusRow,
  partitions: Partitions,
  isMarkedLate = false,
): DerivedAttributes {
  const { dueAt, lateAt, updatedAt } = row;
  const isLate = lateAt !== null && (isMarkedLate || lateAt <= updatedAt);
  const [visit] = [dueAt, isLate ? null : lateAt].filter((moment) => moment !== null).toSorted();
  const due = visit === undefined ? undefined : indexKeysOf('due', row, visit, partitions);
  // Unlisted rows must also have index keys. Otherwise, parking an event would add the keys of a listed row.
  const isListed = row.startedAt !== null;
  return {
    version: { N: String(row.version) },
    modelVersion: { N: String(row.modelVersion) },
    status: { S: row.status },
    done: { BOOL: row.done },
    progress: row.progress === null ? { NULL: true } : { N: String(row.progress) },
    startedAt: text(row.startedAt) ?? { NULL: true },
    updatedAt: { S: row.updatedAt },
    statusSince: { S: row.statusSince },
    changeKey: { S: changeKeyOf(row) },
    statusShard: {
      S: indexPartitionOf(isListed ? statusIndexKey(row) : unlisted, row, partitions.count),
    },
    transactionShard: {
      S: indexPartitionOf(isListed ? row.model : unlisted, row, partitions.byTransaction),
    },
    transaction: { S: row.transaction },
    deadlines: list(row.deadlines),
    businessKeys: list(row.keys),
    dueAt: text(dueAt),
    dueShard: due?.dueShard,
    dueKey: due?.dueKey,
    lateAt: text(lateAt),
    lateMilestone: text(row.lateMilestone),
    riskAt: text(row.riskAt),
    riskMilestone: text(row.riskMilestone),
    ...lateKeysOf(row, partitions),
    late: isLate ? { BOOL: true } : undefined,
  };
}

const text = (value: string | null) => (value === null ? undefined : { S: value });

const list = (values: readonly string[]) =>
  values.length === 0 ? undefined : { S: JSON.stringify(values) };

/**
 * Returns the index keys of an instance that is or will be late or at risk. If it becomes at risk before it becomes
 * late, its sort key starts with `riskAt`. The index keys are not written again when the instance becomes late, so the
 * sort key also contains `lateAt`.
 */
function lateKeysOf(row: StatusRow, partitions: Partitions) {
  const { lateAt, riskAt } = row;
  const first = riskAt ?? lateAt;
  if (first === null) return { lateShard: undefined, lateKey: undefined };
  const { lateShard, lateKey } = indexKeysOf('late', row, first, partitions);
  return {
    lateShard,
    lateKey: riskAt === null ? lateKey : { S: `${lateKey.S}#${lateAt ?? never}` },
  };
}

/** Sorts after every time. */
const never = '~';

/**
 * Returns true if a row is marked as late: by the commit, or by the clock if the instance became late without an event.
 */
export const isMarkedLate = (item: StatusItem): boolean => item.late?.BOOL === true;

/** Returns a row's version; 0 if no commit has been written to it. */
export const versionIn = (item: StatusItem | undefined) => Number(item?.version?.N ?? 0);

/** Parses a status row. */
export function toStatusRow(item: StatusItem): StatusRow {
  return {
    ...instanceOf(item.pk!.S!),
    version: Number(item.version!.N),
    modelVersion: Number(item.modelVersion!.N),
    status: item.status!.S!,
    done: item.done!.BOOL!,
    progress: item.progress?.N === undefined ? null : Number(item.progress.N),
    startedAt: item.startedAt!.S ?? null,
    updatedAt: item.updatedAt!.S!,
    statusSince: item.statusSince!.S!,
    dueAt: item.dueAt?.S ?? null,
    lateAt: item.lateAt?.S ?? null,
    lateMilestone: item.lateMilestone?.S ?? null,
    riskAt: item.riskAt?.S ?? null,
    riskMilestone: item.riskMilestone?.S ?? null,
    deadlines: parseStored<string[]>(item.deadlines?.S ?? '[]'),
    keys: parseStored<string[]>(item.businessKeys?.S ?? '[]'),
    parked: queueSummaryIn(item).count,
  };
}
