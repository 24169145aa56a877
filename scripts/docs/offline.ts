import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a browser would fetch by itself from another host: scripts, styles, fonts, pictures. */
const fetched = [
  /<(?:script|img|iframe|source|video|audio)\b[^>]*\ssrc="(?:https?:)?\/\//,
  /<link\b[^>]*\shref="(?:https?:)?\/\//,
  /@import\s+(?:url\()?["']?(?:https?:)?\/\//,
  /url\(["']?(?:https?:)?\/\//,
];

/**
 * Sees to it that a site can be read offline.
 *
 * @throws Error with the files that have something of another host in them.
 */
export async function expectNoOtherHost(folder: string): Promise<void> {
  const wrong: string[] = [];
  for await (const file of glob('**/*.{html,css}', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8');
    if (fetched.some((pattern) => pattern.test(text))) wrong.push(file);
  }
  if (wrong.length > 0)
    throw new Error(`these fetch something from another host: ${wrong.join(', ')}`);
}
