import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Matches references that a browser fetches from another host: scripts, styles, fonts, pictures. */
const fetched = [
  /<(?:script|img|iframe|source|video|audio)\b[^>]*\ssrc="(?:https?:)?\/\//,
  /<link\b[^>]*\shref="(?:https?:)?\/\//,
  /@import\s+(?:url\()?["']?(?:https?:)?\/\//,
  /url\(["']?(?:https?:)?\/\//,
];

/**
 * Checks that a site can be read offline.
 *
 * @throws Error with the files that refer to another host.
 */
export async function expectNoOtherHost(folder: string): Promise<void> {
  const wrong: string[] = [];
  for await (const file of glob('**/*.{html,css}', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8');
    if (fetched.some((pattern) => pattern.test(text))) wrong.push(file);
  }
  if (wrong.length > 0) throw new Error(`these files refer to another host: ${wrong.join(', ')}`);
}
