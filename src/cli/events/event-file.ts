import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CliContext } from '../context.ts';
import type { ParsedLine, Splitter } from './event-lines.ts';
import { JsonArraySplitter } from './json-array.ts';
import { NdjsonSplitter } from './ndjson.ts';

/** An open file of events, which is read in chunks. */
export interface EventFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The size in bytes; undefined if it is unknown, as for standard input. */
  readonly size: number | undefined;
  /** Stops reading, even if the next chunk never arrives. */
  close(): void;
}

const isFolder = 'it is a folder';

/**
 * Opens a file of events, or standard input if the path is `-`. Throws the system error on failure, or an `Error` if
 * the path is a folder.
 */
export async function openEventFile(path: string, stdin: CliContext['stdin']): Promise<EventFile> {
  if (path === '-') {
    // Node.js reads a folder as an empty file.
    if (stdin.fd !== undefined && fstatSync(stdin.fd).isDirectory()) throw new Error(isFolder);
    return { chunks: stdin, size: undefined, close: () => stdin.destroy?.() };
  }
  const file = await open(path);
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    throw new Error(isFolder);
  }
  const chunks = file.createReadStream();
  return { chunks, size: stat.isFile() ? stat.size : undefined, close: () => chunks.destroy() };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const byteOrderMarksOfUtf16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** Reads events one by one: from a JSON array if the text starts with `[`, otherwise one per line. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedLine> {
  let splitter: Splitter | undefined;
  let line = 1;
  let first = true;
  for await (let chunk of chunks) {
    if (first && startsWith(chunk, byteOrderMark)) chunk = chunk.subarray(3);
    if (first && byteOrderMarksOfUtf16.some((mark) => startsWith(chunk, mark))) {
      yield { line, reason: 'the file is encoded in UTF-16; convert it to UTF-8' };
      return;
    }
    first = false;
    if (splitter === undefined) {
      const start = chunk.findIndex((byte) => byte > 0x20);
      line += chunk.subarray(0, start === -1 ? undefined : start).filter(isLineFeed).length;
      if (start === -1) continue;
      chunk = chunk.subarray(start);
      splitter = chunk[0] === 0x5b ? new JsonArraySplitter(line) : new NdjsonSplitter(line);
    }
    yield* splitter.push(chunk);
  }
  if (splitter !== undefined) yield* splitter.end();
}

const startsWith = (chunk: Uint8Array, bytes: readonly number[]) =>
  bytes.every((byte, i) => chunk[i] === byte);
const isLineFeed = (byte: number) => byte === 0x0a;
