import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CliContext } from '../../../../src/cli/context.ts';
import { run } from '../../run.ts';
import { instance, model } from '../../samples.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { problem } from '../../stub-service.ts';

startServicePerTest();
beforeEach(() => {
  service.data.versions = {
    activation: [],
    tickets: ['12', '1'].map((functionVersion) => ({
      functionVersion,
      version: 1,
      current: functionVersion === '12',
    })),
  };
  service.data.links = {
    'activation/ATV-1': ['l-2', 'l-1'].map((id) => ({
      id,
      createdAt: '2026-11-01T12:00:00.000Z',
      expiresAt: '2026-11-28T12:00:00.000Z',
    })),
  };
  service.data.models = [
    model('activation'),
    model('tickets', { title: 'Tickets of an event', statuses: ['On sale', 'Sold out'] }),
  ];
  service.data.instances = ['ATV-1', 'ATV-2', 'job:1', 'job:2', 'a@b.example', "Fred's seat"].map(
    (transaction) => instance({ transaction }),
  );
});

/** Completes a command line whose last word is at the cursor. */
function complete(words: readonly string[], shell = 'fish', around: Partial<CliContext> = {}) {
  const env = { MILEPOST_API: service.url };
  return run(['complete', shell, '--', ...words], { env, ...around });
}
const wordsOf = (stdout: string) =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0]);
const completed = async (...words: string[]) => wordsOf((await complete(words)).stdout);

describe('the completion of a command line', () => {
  it('completes the commands after help', async () => {
    expect(await completed('help', 'st')).toEqual(['status']);
    expect(await completed('help', 'dead-letters', 's')).toEqual(['show']);
  });

  it.each([
    [['wat'], ['watch']],
    [
      ['dead-letters', ''],
      ['show', 'reasons', 'delete'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['list', '--l'],
      ['--limit', '--late'],
    ],
    [['list', '--ap'], ['--api']],
    [['put', '--f'], ['--file']],
    [['status', '--', '--'], []],
    [
      ['status', ''],
      ['activation', 'tickets'],
    ],
    [['--json', 'watch', 't'], ['tickets']],
    [['list', '--model', 'a'], ['activation']],
    [['list', '--model=a'], ['--model=activation']],
    [
      ['status', 'activation', 'ATV'],
      ['ATV-1', 'ATV-2'],
    ],
    [['history', '--limit', '5', 'activation', 'ATV-2'], ['ATV-2']],
    [['status', 'tickets', ''], []],
    [['status', 'activation', 'ATV-1', ''], []],
    [['put', 'activation', 'ATV-1', 'acc'], ['account.created']],
    [['list', '--status', 'A'], ['Active']],
    [
      ['list', '--status', ''],
      ['Waiting', 'Active', 'On sale', 'Sold out'],
    ],
    [
      ['list', '--model', 'tickets', '--status', ''],
      ['On sale', 'Sold out'],
    ],
    [['list', '--status=S'], ['--status=Sold out']],
    [['versions', 't'], ['tickets']],
    [['rollback', 'a'], ['activation']],
    [
      ['rollback', 'tickets', '--to', ''],
      ['12', '1'],
    ],
    [['rollback', 'activation', '--to', ''], []],
    [
      ['revoke', 'activation', 'ATV-1', ''],
      ['l-2', 'l-1'],
    ],
    [['revoke', 'activation', 'ATV-1', 'l-2', 'l-1'], ['l-1']],
    [['revoke', 'activation', 'ATV-2', ''], []],
    [['put', '--id', ''], []],
    [['nonsense', ''], []],
  ])('for %j suggests %j', async (words, expected) => {
    const { status, stdout, stderr } = await complete(words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(wordsOf(stdout)).toEqual(expected);
  });

  it('suggests commands, except the hidden command `complete`', async () => {
    const names = await completed('');
    expect(names).toEqual(expect.arrayContaining(['put', 'watch', 'list', 'completion', 'local']));
    expect(names).not.toContain('complete');
  });

  it('describes each suggestion', async () => {
    const lines = async (...words: string[]) => (await complete(words)).stdout;
    expect(await lines('status', 't')).toBe('tickets\tTickets of an event\n');
    expect(await lines('status', 'activation', 'ATV-1')).toBe('ATV-1\tActive\n');
    expect(await lines('wat')).toBe('watch\tshow an instance live until it is done\n');
  });

  it.each([
    [['put', '--file', ''], 'files'],
    [['put', '--file=ev'], 'files'],
    [['local', '--data', 'x'], 'folders'],
  ])('leaves the completion of file names in %j to the shell', async (words, kind) => {
    expect((await complete(words)).stdout).toBe(`\t${kind}\n`);
    expect(service.received).toEqual([]);
  });

  it('requests only instances whose transaction id starts with the typed text', async () => {
    await completed('status', 'activation', 'ATV');
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances?model=activation&q=ATV&limit=100',
    ]);
  });

  it('sends its requests to the service in --api', async () => {
    const env = { MILEPOST_API: 'http://127.0.0.1:1' };
    const words = ['--api', service.url, 'status', 't'];
    expect((await complete(words, 'zsh', { env })).stdout).toMatch(/^tickets\t/);
  });

  it('omits names with control characters', async () => {
    service.data.instances = ['x\u202e', 'xy'].map((transaction) => instance({ transaction }));
    expect(await completed('status', 'activation', 'x')).toEqual(['xy']);
  });

  it.each([
    ['fails', () => problem(500, 'broken')],
    ['is busy', () => problem(503, 'busy')],
    ['is not Milepost', () => ({ status: 200, body: '<html>' })],
    ['hangs up', () => 'hang up' as const],
  ])('suggests nothing if the service %s', async (_, answer) => {
    service.script = answer;
    const { stdout, stderr } = await complete(['status', '']);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['--api', 'nowhere', 'status', ''],
    ['list', '--model', '..', '--status', ''],
  ])('suggests nothing if the request would be invalid: %s %s %s', async (...words) => {
    const { stdout, stderr } = await complete(words);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  it('suggests nothing if the service does not respond within two seconds', async () => {
    service.script = () => 'hang';
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { status, stdout, stderr } = await complete(['status', '']);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(timeout.mock.calls).toEqual([[2000]]);
    timeout.mockRestore();
  });

  it('sends no request to complete commands', async () => {
    service.script = () => 'hang up';
    expect(await completed('dead-letters', 's')).toEqual(['show']);
  });
});
