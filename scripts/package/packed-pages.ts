import { dirname, join, normalize } from 'node:path';

const link = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * Replaces links to files that the package does not contain, such as sources and tests, with the text of the link.
 *
 * @param path the path of the Markdown page in the package.
 * @param packed the paths of all files in the package.
 */
export function withoutDeadLinks(text: string, path: string, packed: readonly string[]): string {
  return text.replaceAll(link, (whole, label: string, target: string) => {
    const [file = ''] = target.split('#');
    if (file === '' || /^[a-z]+:/.test(target)) return whole;
    const found = normalize(join(dirname(path), decodeURIComponent(file))).replace(/\/$/, '');
    const isPacked = packed.some((each) => each === found || each.startsWith(`${found}/`));
    return isPacked ? whole : label;
  });
}
