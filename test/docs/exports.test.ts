import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import {
  type Documented,
  entries,
  type PublicExport,
  publicExports,
} from '../support/docs/public-exports.ts';
import { typeErrors } from '../support/docs/typed-snippets.ts';

const found = await publicExports();
const example = /^@example\n?(.*?)(?=^@\w|$(?![\s\S]))/gms;

/** Returns the examples in a docstring, each with its first line. */
const examplesOf = ({ doc = '', docLine }: Documented) =>
  [...doc.matchAll(example)].map((match) => ({
    code: match[1]!.replaceAll(/^```.*$/gm, ''),
    line: docLine + doc.slice(0, match.index).split('\n').length + 1,
  }));

/** Adds imports for the exports of Milepost that an example uses without importing them. */
function importsFor(code: string, { entry }: PublicExport): string {
  const own = found.filter((each) => each.entry === entry);
  // If several entries export the same name, the entry of the example takes precedence, then the first entry.
  const known = new Map([...found.toReversed(), ...own].map((each) => [each.name, each]));
  const isMeant = (name: string) =>
    new RegExp(`(?<![.'\\w])${name}\\b`).test(code) &&
    !new RegExp(`import [^;]*\\b${name}\\b[^;]* from`).test(code);
  return [...known.values()]
    .filter(({ name }) => isMeant(name))
    .map((each) => `import { ${each.isValue ? '' : 'type '}${each.name} } from '${each.entry}';\n`)
    .join('');
}

const membersOf = ({ name, members }: PublicExport) =>
  members.map((member) => ({ ...member, name: `${name}.${member.name}` }));

/** True if the package's type declarations contain a member. */
const isPublic = ({ doc = '' }: Documented) => !doc.startsWith('@internal');

describe('every public export', () => {
  it('belongs to an entry in package.json', () => {
    const paths = Object.keys(entries).map((entry) => entry.replace('milepost', '.'));
    expect(Object.keys(manifest.exports)).toEqual(expect.arrayContaining(paths));
  });

  it('has a docstring, as does each of its members', () => {
    // To fix: add a docstring with the definition, units, errors, and default.
    const bare = found.flatMap((each) =>
      [each, ...membersOf(each).filter(({ isConstructor }) => !isConstructor)]
        .filter(({ doc = '@' }) => doc.startsWith('@'))
        .map(({ place, name }) => `${place}: ${name}`),
    );
    expect(bare).toEqual([]);
  });

  it('describes all of its parameters, as does each of its members', () => {
    // To fix: add `@param NAME DESCRIPTION`, which the tables of the reference contain.
    const bare = found.flatMap((each) =>
      [each, ...membersOf(each)]
        .filter(isPublic)
        .flatMap(({ place, name, doc = '', parameters }) =>
          parameters
            .filter((parameter) => !new RegExp(`^@param ${parameter} \\S`, 'm').test(doc))
            .map((parameter) => `${place}: ${name}: ${parameter}`),
        ),
    );
    expect(bare).toEqual([]);
    expect(found.find(({ name }) => name === 'emit')?.parameters).toEqual(['event']);
  });

  it('has an example unless it is a type', () => {
    // To fix: add an `@example` to its docstring. Imports from Milepost are added automatically.
    const without = found.filter((each) => each.isValue && examplesOf(each).length === 0);
    expect(without.map(({ place, name }) => `${place}: ${name}`)).toEqual([]);
  });

  it('contains only examples that compile', async () => {
    const snippets = found.flatMap((each) =>
      [each, ...each.members].flatMap(examplesOf).map(({ code, line }) => ({
        path: each.file,
        line,
        code,
        before: importsFor(code, each),
        language: 'ts',
      })),
    );
    expect(snippets.length).toBeGreaterThan(20);
    expect(await typeErrors(snippets)).toEqual([]);
  }, 300_000);
});
