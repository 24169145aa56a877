import { expect, it } from 'vitest';
import { bundleSizes } from '../../bench/cold-start/bundle-sizes.ts';
import { readDefinition } from '../../bench/support/definition.ts';

/** The maximum compressed size in bytes. A cold start must fetch, unpack, and compile the whole bundle. */
const most = 130 * 1024;

it('the bundle of every Lambda function is at most 130 KB when compressed', async () => {
  const { service } = await readDefinition();
  const sizes = await bundleSizes(service);
  expect(sizes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['dispatcher', 'api', 'clock', 'registrar', 'model activation']),
  );
  const large = sizes.filter(({ gzip }) => gzip > most);
  expect(large.map(({ name, gzip }) => `${name}: ${gzip}`)).toEqual([]);
}, 60_000);
