import type { Summary } from '../api/types.ts';
import { toCsv } from './csv.ts';

/** The file formats of exported lists. */
export type ListFormat = 'csv' | 'jsonl';

/** A file that the user saves. */
export interface TextFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const columns = [
  'model',
  'transaction',
  'status',
  'done',
  'progress',
  'risk',
  'riskMilestone',
  'riskSince',
  'parked',
  'keys',
  'startedAt',
  'statusSince',
  'updatedAt',
];

/**
 * Creates a file from a list of instances: CSV with one row per instance, or JSON Lines with instances as the API
 * returns them.
 *
 * @param at the time of the export, RFC 3339; part of the name.
 */
export function instancesFile(
  instances: readonly Summary[],
  format: ListFormat,
  at: string,
): TextFile {
  const name = `instances-${at.slice(0, 'YYYY-MM-DDThh:mm'.length).replaceAll(/[T:]/g, '-')}`;
  if (format === 'jsonl')
    return {
      name: `${name}.jsonl`,
      type: 'application/jsonl',
      text: instances.map((instance) => `${JSON.stringify(instance)}\n`).join(''),
    };
  return { name: `${name}.csv`, type: 'text/csv', text: toCsv([columns, ...instances.map(row)]) };
}

const row = ({
  model,
  transaction,
  status,
  done,
  progress,
  risk,
  parked,
  keys = [],
  startedAt,
  statusSince,
  updatedAt,
}: Summary) => [
  model,
  transaction,
  status,
  String(done),
  progress,
  risk?.state ?? null,
  risk?.milestone ?? null,
  risk?.since ?? null,
  parked,
  keys.join(' '),
  startedAt,
  statusSince,
  updatedAt,
];
