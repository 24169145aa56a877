import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Patterns of resources that a browser loads from another host: scripts, styles, fonts, images. */
const fetched = [
  /<(?:script|img|iframe|source|video|audio)\b[^>]*\ssrc="(?:https?:)?\/\//,
  /<link\b[^>]*\shref="(?:https?:)?\/\//,
  /@import\s+(?:url\()?["']?(?:https?:)?\/\//,
  /url\(["']?(?:https?:)?\/\//,
];

/**
 * Checks that a site can be read offline.
 *
 * @throws Error that lists the files with resources from another host
 */
export async function expectNoOtherHost(folder: string): Promise<void> {
  const wrong: string[] = [];
  for await (const file of glob('**/*.{html,css}', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8');
    if (fetched.some((pattern) => pattern.test(text))) wrong.push(file);
  }
  if (wrong.length > 0)
    throw new Error(`these pages load resources from another host: ${wrong.join(', ')}`);
}
