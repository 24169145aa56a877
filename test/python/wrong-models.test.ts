import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConformance } from '../../src/conformance/main.ts';
import { python } from './python.ts';

const shim = join(import.meta.dirname, '..', '..', 'examples', 'python', 'milepost_model.py');
const samples = {
  histories: [{ name: 'counted', events: [{ type: 'counted' }, { type: 'counted' }] }],
};
const again = 'returns the same response to the same request';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-python-'));
  await cp(shim, join(folder, 'milepost_model.py'));
  await cp(join(import.meta.dirname, 'wrong_models.py'), join(folder, 'wrong_models.py'));
  await writeFile(join(folder, 'samples.json'), JSON.stringify(samples));
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(!python.isThere)(`the conformance test of a Python model${python.ifNot}`, () => {
  const failures = async (handler: string) => {
    const { results } = await testConformance({
      target: { python: join(folder, `wrong_models.${handler}`) },
      samples: join(folder, 'samples.json'),
      timeoutSeconds: 30,
      env: process.env,
      tell: () => undefined,
      log: () => undefined,
    });
    return results.filter(({ outcome }) => outcome === 'failed');
  };
  const failedChecks = async (handler: string) => (await failures(handler)).map(({ name }) => name);

  it('passes the model `right`', async () => {
    expect(await failedChecks('right')).toEqual([]);
  });

  it.each([
    ['dice', again],
    ['remembering', again],
    ['clock', again],
    ['undeclared', 'sample: counted'],
    ['not_a_number', 'sample: counted'],
    ['huge', 'sample: counted'],
    ['of_nothing', 'sample: counted'],
    ['fragile', 'isolates each instance from faults of other instances'],
    ['no_such_handler', 'describes its model'],
  ])('fails the model `%s` in the check "%s"', async (handler, check) => {
    // Some models fail several checks.
    expect(await failedChecks(handler)).toContain(check);
  });

  it('states what `transition` must return', async () => {
    expect(await failures('forgetful')).toContainEqual(
      expect.objectContaining({
        name: 'sample: counted',
        detail: expect.stringContaining('transition must return accept(state) or reject(reason)'),
      }),
    );
  });
});
