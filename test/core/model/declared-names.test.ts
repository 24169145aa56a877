import { beforeAll, describe, expect, it } from 'vitest';
import { typeErrors } from '../../support/docs/typed-snippets.ts';

const header = `
  import { accept, type Decision, defineModel, type Description } from 'milepost';

  interface Parcel {
    readonly packed?: string;
    readonly delivered?: string;
  }

  const parts = {
    id: 'parcel',
    title: 'A parcel',
    events: {},
    initial: (): Parcel => ({}),
    transition: (_event: unknown, parcel: Parcel): Decision<Parcel> => accept(parcel),
  };
  const statuses: string[] = ['Ordered', 'Packed'];
  const ids: string[] = ['packed'];
  declare function statusOf(parcel: Parcel): string;
`;

const declared = `...parts, statuses: ['Ordered', 'Packed'], milestones: [{ id: 'packed', label: 'Packed' }],`;

/** Invalid models, each with the compiler's message. */
const refused = {
  'a status that is not declared': [
    `${declared} describe: ({ packed }) => ({ status: packed ? 'Packd' : 'Ordered' }),`,
    "describe returns the status 'Packd', which is not in statuses",
  ],
  'an undeclared status that describe computes first': [
    `${declared} describe(parcel) {
       const status = parcel.delivered ? 'Delivered' : parcel.packed ? 'Packed' : 'Ordered';
       return { status, done: status === 'Delivered', milestones: [{ id: 'packed', at: parcel.packed }] };
     },`,
    "describe returns the status 'Delivered', which is not in statuses",
  ],
  'a milestone that is not declared': [
    `${declared} describe: ({ packed }) =>
       ({ status: 'Packed', milestones: [{ id: 'packed', at: packed }, { id: 'deliverd' }] }),`,
    "describe returns the milestone 'deliverd', which is not in milestones",
  ],
  'an edge of the diagram that leads to no node': [
    `${declared} describe: () => ({ status: 'Ordered' }),
     diagram: {
       nodes: [{ id: 'Ordered', label: 'Ordered' }, { id: 'Packed', label: 'Packed' }],
       edges: [{ from: 'Ordered', to: 'Pakced', label: 'packed' }],
     },`,
    `Did you mean '"Packed"'?`,
  ],
  'a field that the state does not have': [
    `${declared} describe: ({ pakced }) => ({ status: 'Ordered', done: pakced }),`,
    "Property 'pakced' does not exist on type 'Parcel'",
  ],
} as const;

/** Valid models. Names that the compiler cannot know are checked at run time. */
const taken = {
  'computed names': `${declared}
    describe: (parcel) => ({ status: statusOf(parcel), milestones: ids.map((id) => ({ id })) }),`,
  'any status in a describe function without a parameter': `${declared}
    describe: () => ({ status: 'Packd' }),`,
  'a describe function with the return type Description': `${declared}
    describe: (parcel): Description => ({ status: 'Packed' }),`,
  'lists of type string[] from a variable': `...parts, statuses,
    describe: () => ({ status: 'Packed', milestones: [{ id: 'packed' }] }),`,
  'a computed name that begins like a declared name': `...parts, statuses: ['Day 1', 'Day 2'],
    describe: () => ({ status: \`Day \${ids.length}\` }),`,
  'an edge between computed nodes': `${declared}
    describe: () => ({ status: 'Packed' }),
    diagram: {
      nodes: statuses.map((id) => ({ id, label: id })),
      edges: [{ from: 'Ordered', to: statuses[1]!, label: '' }],
    },`,
  'a copy of a model with another title': `
    ...defineModel({ ${declared} describe: () => ({ status: 'Packed' }) }), title: 'A letter',`,
};

describe('the compiler', () => {
  let errors: readonly string[];
  const saidOf = (name: string) =>
    errors
      .filter((error) => error.startsWith(`${name}:`))
      .map((error) => error.replace(/^.*?error TS\d+: /s, ''));

  beforeAll(async () => {
    const parts = Object.entries({ ...taken, ...refused });
    errors = await typeErrors(
      parts.map(([path, part]) => ({
        ...{ path, line: 1, language: 'ts' },
        code: `${header}\nexport const model = defineModel({ ${typeof part === 'string' ? part : part[0]} });`,
      })),
    );
  }, 60_000);

  it.each(Object.entries(refused))('reports a short error for %s', (name, [, words]) => {
    const said = saidOf(name);
    expect(said).toEqual([expect.stringContaining(words)]);
    expect(said[0]!.length).toBeLessThan(300);
  });

  it.each(Object.keys(taken))('accepts %s', (name) => {
    expect(saidOf(name)).toEqual([]);
  });

  it('reports no other errors', () => {
    expect(errors).toHaveLength(Object.keys(refused).length);
  });
});
