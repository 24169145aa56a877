import { describe, expect, it } from 'vitest';
import { instance } from '../samples.ts';
import { ask, service, startServicePerTest } from '../service-per-test.ts';

startServicePerTest();

describe('the option --json', () => {
  it("makes a command print the API's response unchanged", async () => {
    const members = JSON.stringify({ ...instance(), instances: [], models: [] }).slice(1);
    const body = `{ "n": 12345678901234567890.10,\n ${members}`;
    service.script = () => ({ status: 200, body });
    expect((await ask(['list', '--json'])).stdout).toBe(`${body}\n`);
    expect((await ask(['status', 'a', 'b', '--json'])).stdout).toBe(`${body}\n`);
    expect((await ask(['--json', 'models'])).stdout).toBe(`${body}\n`);
  });

  it.each([
    'list',
    'search x',
    'search --event x',
    'status a b',
    'status a b --at-version 1',
    'watch a b',
    'history a b',
    'explain a b',
    'counts --model a',
    'models',
    'sla a',
    'versions a',
    'rollback a --to 1',
    'redrive a b',
    'redrive --dead-letter d',
    'rebuild counters',
    'dead-letters',
    'dead-letters show d',
    'dead-letters reasons',
    'link a b',
    'links a b',
    'revoke a b --all',
  ])('makes `%s` reject a response from another service', async (command) => {
    for (const body of ['{"hello":"world"}', '']) {
      service.script = () => ({ status: 200, body });
      const { status, stdout, stderr } = await ask([...command.split(' '), '--json']);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^error: .* returned .*; is it Milepost\?\n$/);
    }
  });

  it('prints one page per line if --all is also set', async () => {
    service.data.instances = Array.from({ length: 150 }, () => instance());
    const { stdout, stderr } = await ask(['list', '--all', '--json']);
    const pages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).instances.length);
    expect(pages).toEqual([100, 50]);
    expect(stderr).toBe('');
  });

  it('makes a command escape control characters on a terminal', async () => {
    const body = '{"instances":[],"s":"\u009b31m\u202e"}';
    service.script = () => ({ status: 200, body });
    const { stdout } = await ask(['list', '--json'], { columns: 80 });
    expect(stdout).toBe('{"instances":[],"s":"\\u009b31m\\u202e"}\n');
  });
});
