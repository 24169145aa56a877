import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A file of the pages, ready to be sent. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** In quotes, as the header has it. */
  readonly etag: string;
}

/** The files of the pages by their paths; what every page begins with is `/index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What is sent of a file. @param extension of its name, such as `.js`. */
export async function pageFile(extension: string, body: Buffer): Promise<PageFile> {
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new Error(`web: what type has a ${extension}?`);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { contentType, body, gzipped: await compress(body, { level: 9 }), etag };
}
