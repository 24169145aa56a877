import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The license of one version of a package. */
export interface PackageLicense {
  /** The package's name and version, and the license's SPDX identifier, such as `p-map 7.1.1, MIT`. */
  readonly name: string;
  /** The license text and all notices that must accompany the package's code. */
  readonly text: string;
}

/**
 * The SPDX identifiers of licenses that allow a package under the MIT license to bundle the code if it includes the
 * license text.
 */
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** The license texts for packages that include only the name of their license. */
const standardTexts: Readonly<Record<string, (holder: string) => Promise<string>>> = {
  MIT: async (holder) => {
    const ours = await readFile(join(import.meta.dirname, '..', '..', 'LICENSE'), 'utf8');
    return ours.trim().replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
  },
  'Apache-2.0': async (holder) =>
    `Copyright ${holder}\n\n` +
    'Licensed under the Apache License, Version 2.0. The full text is above or below, and at\n' +
    'https://www.apache.org/licenses/LICENSE-2.0',
};

/**
 * Returns a package's license. The text comes from the package's license and notice files, from the license section of
 * its README, or from the standard text of the license that its package.json names.
 *
 * @param folder the package's folder, which contains its package.json.
 * @throws Error if the license is not in `permissive` or its text cannot be found.
 */
export async function readLicense(folder: string): Promise<PackageLicense> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string | { type: string };
    author?: string | { name: string };
  };
  const { name, version, license = 'none', author = `the authors of ${manifest.name}` } = manifest;
  const kind = typeof license === 'string' ? license : license.type;
  const problem = `${name} ${version} is bundled, but its license "${kind}"`;
  if (!permissive.has(kind))
    throw new Error(`${problem} is not one of ${[...permissive].join(', ')}; replace the package`);
  const holder = typeof author === 'string' ? author : author.name;
  const text =
    (await filesOf(folder, /^(licen[cs]e|copying|notice)/i)) ||
    licenseSection(await filesOf(folder, /^readme/i)) ||
    (await standardTexts[kind]?.(holder));
  if (!text) throw new Error(`${problem} has no text; add one to scripts/package/read-license.ts`);
  return { name: `${name} ${version}, ${kind}`, text };
}

async function filesOf(folder: string, names: RegExp): Promise<string> {
  const entries = (await readdir(folder)).filter((entry) => names.test(entry)).toSorted();
  const texts = await Promise.all(entries.map((entry) => readFile(join(folder, entry), 'utf8')));
  return texts.map((text) => text.trim()).join('\n\n');
}

/**
 * Returns the license section of a README if it contains the full text of a license like the MIT license, not only a
 * name or a link; otherwise an empty string.
 */
function licenseSection(readme: string): string {
  const [, section = ''] = /^#+[^\n]*\blicen[cs]e\b[^\n]*\n(.*)/ims.exec(readme) ?? [];
  return section.includes('Permission is hereby granted') ? section.trim() : '';
}
