import type { ArchiveRow } from '../../archiver/archive-row.ts';

/** The most bytes of a line: Firehose takes 1,000 KiB in a record. */
const maximumLineBytes = 1_000_000;

/** Writes a row as a line of JSON, without its data and state where that would be too long. */
export function archiveLine(row: ArchiveRow): string {
  const line = `${JSON.stringify(row)}\n`;
  if (Buffer.byteLength(line) <= maximumLineBytes) return line;
  return `${JSON.stringify({ ...row, data: null, state: null, cut: true })}\n`;
}
