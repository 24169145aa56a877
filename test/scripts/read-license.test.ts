import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLicense } from '../../scripts/package/read-license.ts';

describe('readLicense', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'milepost-license-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes a package into the folder and reads its license. */
  async function licenseOf(manifest: object, files: Readonly<Record<string, string>> = {}) {
    const all = {
      ...files,
      'package.json': JSON.stringify({ name: 'trim', version: '1.2.3', ...manifest }),
    };
    for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
    return readLicense(folder);
  }

  it('joins all license and notice files', async () => {
    const files = { LICENSE: 'the terms\n', 'NOTICE.txt': 'the notice\n', 'index.js': '' };
    expect(await licenseOf({ license: 'ISC' }, files)).toEqual({
      name: 'trim 1.2.3, ISC',
      text: 'the terms\n\nthe notice',
    });
  });

  it('uses the license section of a README if there is no license file', async () => {
    const section = 'Copyright (c) Ada\n\nPermission is hereby granted, free of charge';
    const readme = `# trim\n\nTrims.\n\n## Copyright & Licence\n\n${section}\n`;
    const { text } = await licenseOf({ license: 'MIT' }, { 'README.md': readme });
    expect(text).toBe(section);
  });

  it.each([
    ['an author as an object', { name: 'Ada' }, 'Copyright (c) Ada\n'],
    ['an author as a string', 'Ada <ada@example.com>', 'Copyright (c) Ada <ada@example.com>\n'],
    ['no author', undefined, 'Copyright (c) the authors of trim\n'],
  ])(
    'returns the text of the MIT license for a package that only names the license and has %s',
    async (_, author, line) => {
      const readme = '# trim\n\n## License\n\nMIT\n';
      const { text } = await licenseOf(
        { license: { type: 'MIT' }, author },
        { 'README.md': readme },
      );
      expect(text).toContain(line);
      expect(text).toContain('Permission is hereby granted');
      expect(text).not.toContain('Milepost');
    },
  );

  it('returns the notice of the Apache License for a package that only names the license', async () => {
    const { text } = await licenseOf({ license: 'Apache-2.0', author: { name: 'Ada' } });
    expect(text).toMatch(/^Copyright Ada\n\nLicensed under the Apache License, Version 2\.0/);
  });

  it('rejects a license that is not permissive', async () => {
    await expect(licenseOf({ license: 'GPL-3.0-only' }, { LICENSE: 'the terms' })).rejects.toThrow(
      'trim 1.2.3 is bundled, but its license "GPL-3.0-only" is not one of 0BSD, Apache-2.0',
    );
    await expect(licenseOf({})).rejects.toThrow('its license "none" is not one of');
  });

  it('rejects a license without text', async () => {
    await expect(licenseOf({ license: 'BSD-3-Clause' })).rejects.toThrow(
      'trim 1.2.3 is bundled, but its license "BSD-3-Clause" has no text',
    );
  });
});
