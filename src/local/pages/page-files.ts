import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A file of the pages, prepared for serving. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** The value of the `ETag` header, including the quotes. */
  readonly etag: string;
}

/** The files of the pages, by URL path. The URL of every page returns `/index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Prepares a file for serving.
 *
 * @param extension the file name extension, such as `.js`.
 */
export async function pageFile(extension: string, body: Buffer): Promise<PageFile> {
  const contentType = contentTypes[extension];
  if (contentType === undefined)
    throw new Error(`web: the extension ${extension} has no content type`);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { contentType, body, gzipped: await compress(body, { level: 9 }), etag };
}
