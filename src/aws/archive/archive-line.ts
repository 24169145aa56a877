import type { ArchiveRow } from '../../archiver/archive-row.ts';

/** The maximum size of a line, in bytes. A Firehose record can contain up to 1,000 KiB. */
const maximumLineBytes = 1_000_000;

/** Formats a row as a line of JSON. Omits the data and the state if the line would otherwise exceed the limit. */
export function archiveLine(row: ArchiveRow): string {
  const line = `${JSON.stringify(row)}\n`;
  if (Buffer.byteLength(line) <= maximumLineBytes) return line;
  return `${JSON.stringify({ ...row, data: null, state: null, cut: true })}\n`;
}
