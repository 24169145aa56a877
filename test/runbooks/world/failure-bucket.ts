import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface BucketResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Handles ListObjectsV2, HeadObject, GetObject, and DeleteObject, with the local failure destinations as one bucket.
 *
 * @param folder the folder with one subfolder per event source
 */
export async function answerBucket(
  folder: string,
  { method, url }: { readonly method: string; readonly url: URL },
): Promise<BucketResponse> {
  const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
  const objects = await objectsIn(folder);
  if (key === '')
    return { status: 200, body: listed(objects, url.searchParams.get('prefix') ?? '') };
  const object = objects.find((each) => each.key === key);
  if (!object) return { status: 404 };
  if (method === 'DELETE') {
    await rm(object.path);
    return { status: 204 };
  }
  const body = await readFile(object.path, 'utf8');
  const headers = {
    'content-length': String(Buffer.byteLength(body)),
    'last-modified': object.modified.toUTCString(),
    etag: '"etag"',
  };
  return { status: 200, headers, body };
}

interface StoredObject {
  readonly key: string;
  readonly path: string;
  readonly modified: Date;
  readonly size: number;
}

async function objectsIn(folder: string): Promise<StoredObject[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.map(async (path) => {
      const { mtime: modified, size } = await stat(path);
      const [, ...parts] = relative(folder, path).split('/');
      return { key: parts.join('/'), path, modified, size };
    }),
  );
}

function listed(objects: readonly StoredObject[], prefix: string): string {
  const contents = objects
    .filter(({ key }) => key.startsWith(prefix))
    .map(
      ({ key, modified, size }) =>
        `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${size}</Size></Contents>`,
    );
  return `<ListBucketResult>${contents.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`;
}
