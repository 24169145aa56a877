import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testConformance } from '../../src/conformance/main.ts';
import { python } from './python.ts';

const folder = join(import.meta.dirname, '..', '..', 'examples', 'python');
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

describe.skipIf(!python.isThere)(`the example in Python${python.ifNot}`, () => {
  it('passes its own tests', () => {
    const ran = spawnSync('python3', ['-m', 'unittest', '-q'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stderr: expect.stringContaining('OK') });
  });

  it('passes the conformance test, with every event type in its samples', async () => {
    const { results, untried } = await testConformance({
      target: { python: join(folder, 'library_loan.handler') },
      samples: join(folder, 'samples.json'),
      timeoutSeconds: 30,
      env,
      tell: () => undefined,
      log: () => undefined,
    });
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results.length).toBeGreaterThan(10);
    expect(untried).toEqual([]);
  });
});
