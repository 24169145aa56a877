import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { entry, instance, model } from '../../samples.ts';
import { service, signalSource, startServicePerTest } from '../../service-per-test.ts';
import { json, problem } from '../../stub-service.ts';

startServicePerTest();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-export-'));
  service.data.models = [model('activation'), model('tickets')];
});
afterEach(() => rm(folder, { recursive: true }));

const ask = (...more: string[]) => run(['export', '--api', service.url, ...more]);
const lines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const transactions = (text: string) =>
  lines(text).flatMap((line) => (line.instance as { transaction?: string })?.transaction ?? []);

describe('milepost export', () => {
  it("writes every instance of every model on a separate line, as the API's JSON", async () => {
    service.data.instances = [
      instance({ transaction: 'A' }),
      instance({ model: 'tickets', transaction: 'x/y é', state: { n: 0.1, deep: [null] } }),
    ];
    const { status, stdout, stderr } = await ask();
    expect([status, stderr]).toEqual([0, 'exported 2 instances\n']);
    expect(lines(stdout)).toEqual(service.data.instances.map((each) => ({ instance: each })));
    const asked = service.received.map(({ url }) => url);
    expect(asked).toContain('/api/instances?model=tickets&order=fixed&full=true&limit=100');
  });

  it('writes to standard output with -o -', async () => {
    service.data.instances = [instance({ transaction: 'A' })];
    const { status, stdout } = await ask('-o', '-');
    expect(status).toBe(0);
    expect(transactions(stdout)).toEqual(['A']);
  });

  it('requests pages of a hundred instances instead of single instances', async () => {
    service.data.instances = Array.from({ length: 250 }, (_, i) =>
      instance({ transaction: `T${String(i).padStart(4, '0')}` }),
    );
    const { stdout } = await ask('--model', 'activation');
    expect(new Set(transactions(stdout)).size).toBe(250);
    const asked = service.received.map(({ url }) => new URL(url, service.url));
    expect(asked.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([
      null,
      '100',
      '200',
    ]);
    expect(new Set(asked.map(({ pathname }) => pathname))).toEqual(new Set(['/api/instances']));
  });

  it('requests a page only after the previous page is written', async () => {
    service.data.instances = Array.from({ length: 201 }, (_, i) =>
      instance({ transaction: `T${i}` }),
    );
    const asked: number[] = [];
    const stdout = { write: () => asked.push(service.received.length) };
    await run(['export', '--api', service.url, '--model', 'activation'], { stdout });
    expect([asked[0], asked[99], asked[100], asked[200]]).toEqual([1, 1, 2, 3]);
  });

  it('shows progress on standard error, but only on a terminal that can update a line', async () => {
    service.data.instances = Array.from({ length: 8 }, (_, i) =>
      instance({ transaction: `T${i}` }),
    );
    service.data.models = [model('activation')];
    const statuses = [{ instances: 8, more: false }];
    service.script = ({ url }) =>
      url === '/api/overview' ? json(200, { models: [{ id: 'activation', statuses }] }) : undefined;
    const command = ['export', '--api', service.url];
    const wide = await run(command, { columns: 80 });
    expect(wide.stderr).toContain('████████████░░░░░░░░░░░░  50%  4 instances');
    expect(wide.stderr.endsWith('\r\x1b[Kexported 8 instances\n')).toBe(true);
    expect(transactions(wide.stdout)).toHaveLength(8);
    const narrow = await run(command, { columns: 20, env: { NO_COLOR: '1' } });
    for (const line of narrow.stderr.split('\r\x1b[K').slice(1, -1))
      expect(line.length).toBeLessThan(20);
    expect(narrow.stderr).toContain('█████░░░░░  50%');
    expect((await run(command)).stderr).toBe('exported 8 instances\n');
    const dumb = await run(command, { columns: 80, env: { TERM: 'dumb' } });
    expect(dumb.stderr).toBe('exported 8 instances\n');
    expect(service.received.filter(({ url }) => url === '/api/overview')).toHaveLength(3);
  });

  it('shows how many instances it has exported, without a progress bar, if there are too many instances to count', async () => {
    service.data.instances = [instance()];
    const statuses = [{ instances: 10_000, more: true }];
    service.script = ({ url }) =>
      url === '/api/overview' ? json(200, { models: [{ id: 'activation', statuses }] }) : undefined;
    const { stderr } = await run(['export', '--api', service.url, '--model', 'activation'], {
      columns: 80,
    });
    expect(stderr).toContain('\r\x1b[K1 instance');
  });

  it('with --history writes the history of each instance after the instance', async () => {
    service.data.instances = [instance({ transaction: 'A' }), instance({ transaction: 'B' })];
    service.data.histories = {
      'activation/A': Array.from({ length: 130 }, (_, i) => entry(i + 1)),
      'activation/B': [entry(1)],
    };
    const { stdout, stderr } = await ask('--history');
    const written = lines(stdout);
    expect(stderr).toBe('exported 2 instances, 131 events\n');
    expect(written.slice(1, 131)).toEqual(
      service.data.histories['activation/A']!.map((each) => ({
        model: 'activation',
        transaction: 'A',
        entry: each,
      })),
    );
    expect(written[131]).toHaveProperty('instance.transaction', 'B');
  });

  it('omits instances that have not changed since the given time', async () => {
    service.data.instances = [
      instance({ transaction: 'old', updatedAt: '2026-01-01T00:00:00.000Z' }),
      instance({ transaction: 'new', updatedAt: '2026-02-01T00:00:00.000Z' }),
    ];
    const { stdout } = await ask('--since', '2026-02-01T01:00:00+01:00');
    expect(transactions(stdout)).toEqual(['new']);
  });

  it('warns about instances whose history cannot be read, and writes everything else', async () => {
    const listed = ['A', 'a/../b', '..', 'half?', '50%', 'x/history', 'Z'];
    service.data.instances = listed.map((transaction) => instance({ transaction }));
    service.data.histories = { 'activation/A': [entry(1)], 'activation/Z': [entry(1)] };
    // The responses of API Gateway and of the API to these paths.
    service.script = ({ url }) => {
      if (url.startsWith('/api/instances/activation/half%3F'))
        return { status: 200, body: JSON.stringify(instance({ transaction: 'half' })) };
      if (url.startsWith('/api/instances/activation/50%25'))
        return { status: 400, body: '{"message":"Bad Request"}' };
      if (url.startsWith('/api/instances/activation/x%2Fhistory'))
        return { status: 200, body: '{"entries":[]}' };
      return undefined;
    };
    const file = join(folder, 'all.ndjson');
    const { status, stderr } = await ask('--history', '-o', file);
    const said = stderr.trimEnd().split('\n');
    expect(status).toBe(1);
    expect(transactions(await readFile(file, 'utf8'))).toEqual(listed);
    expect(said.pop()).toBe(
      'error: the export is incomplete: it lacks events of 5 instances; see the warnings above',
    );
    expect(said.pop()).toBe('exported 7 instances, 2 events');
    expect(said.toSorted()).toEqual([
      expect.stringMatching(
        /^warning: skipped the events of activation\/\.\.: .* this transaction id has no URL$/,
      ),
      'warning: skipped the events of activation/50%: Bad Request (400)',
      expect.stringMatching(
        /^warning: skipped the events of activation\/a\/\.\.\/b: .* this transaction id has no URL$/,
      ),
      'warning: skipped the events of activation/half?: this transaction id has no URL, because its path leads to another resource',
      'warning: skipped the events of activation/x/history: this transaction id has no URL, because its path leads to another resource',
    ]);
  });

  it('warns about instances with damaged data and writes everything else', async () => {
    service.data.models = [model('activation')];
    const listed = ['A', 'broken history', 'long', 'Z'];
    service.data.instances = listed.map((transaction) => instance({ transaction }));
    service.data.histories = {
      'activation/A': [entry(1)],
      'activation/long': Array.from({ length: 130 }, (_, i) => entry(i + 1)),
      'activation/Z': [entry(1)],
    };
    const failed = problem(500, 'the service failed');
    service.script = ({ url }) => {
      if (url.startsWith('/api/instances?')) {
        const unreadable = [
          { model: 'activation', transaction: 'B\u001b[2J', reason: 'no\nstate' },
        ];
        return json(200, { instances: service.data.instances, unreadable });
      }
      if (url.includes('/broken')) return failed;
      return url.includes('/long') && url.includes('cursor') ? failed : undefined;
    };
    const file = join(folder, 'all.ndjson');
    const { status, stderr } = await ask('--history', '-o', file);
    const written = await readFile(file, 'utf8');
    const said = stderr.trimEnd().split('\n');
    expect(status).toBe(1);
    expect(transactions(written)).toEqual(listed);
    expect(lines(written)).toHaveLength(4 + 102);
    expect(said).toEqual([
      String.raw`warning: skipped activation/B\x1b[2J: no\nstate`,
      'warning: skipped the events of activation/broken history: the service failed (500)',
      'warning: skipped the remaining events of activation/long: the service failed (500)',
      'exported 4 instances, 102 events',
      'error: the export is incomplete: it lacks 1 instance and events of 2 instances; see the warnings above',
    ]);
  });

  it('writes the export to the output file and leaves no other file', async () => {
    service.data.instances = [instance()];
    const file = join(folder, 'all.ndjson');
    const { status, stdout } = await ask('-o', file);
    expect([status, stdout]).toEqual([0, '']);
    expect(lines(await readFile(file, 'utf8'))).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['all.ndjson']);
  });

  it('replaces the target of a symbolic link and keeps the link', async () => {
    service.data.instances = [instance()];
    const [file, link] = [join(folder, 'old.ndjson'), join(folder, 'latest.ndjson')];
    await symlink('old.ndjson', link);
    for (const before of [undefined, 'old\n']) {
      if (before !== undefined) await writeFile(file, before);
      expect((await ask('-o', link)).status).toBe(0);
      expect(lines(await readFile(file, 'utf8'))).toHaveLength(1);
      expect(await readlink(link)).toBe('old.ndjson');
    }
  });

  it.skipIf(process.platform === 'win32')(
    'writes to a named pipe without replacing it',
    async () => {
      service.data.instances = [instance()];
      const pipe = join(folder, 'pipe');
      await promisify(execFile)('mkfifo', [pipe]);
      const [text, { status }] = await Promise.all([readFile(pipe, 'utf8'), ask('-o', pipe)]);
      expect(status).toBe(0);
      expect(lines(text)).toHaveLength(1);
      expect((await stat(pipe)).isFIFO()).toBe(true);
      expect(await readdir(folder)).toEqual(['pipe']);
    },
  );

  it.skipIf(!existsSync('/dev/full'))('prints a one-line error if the disk is full', async () => {
    service.data.instances = [instance()];
    // Use a link so that a faulty export would replace the link and not the device.
    const link = join(folder, 'full');
    await symlink('/dev/full', link);
    const { status, stderr } = await ask('-o', link);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: cannot write .*full: ENOSPC.*\n$/);
    expect(await readlink(link)).toBe('/dev/full');
  });

  it('leaves no file after Ctrl+C', async () => {
    service.data.instances = [instance()];
    const signals = signalSource();
    service.script = ({ url }) => {
      if (!url.startsWith('/api/instances/')) return undefined;
      signals.emit('SIGINT');
      return 'hang';
    };
    const command = ['export', '--api', service.url, '--history', '-o', join(folder, 'all.ndjson')];
    const { status, stderr } = await run(command, { signals });
    expect([status, stderr]).toEqual([130, '']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints a one-line error and leaves no file if the export fails', async () => {
    service.data.instances = [instance()];
    service.script = ({ url }) =>
      url.startsWith('/api/instances/') ? problem(502, 'it broke') : undefined;
    const { status, stderr } = await ask('--history', '-o', join(folder, 'all.ndjson'));
    expect([status, stderr]).toEqual([1, 'error: it broke (502)\n']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('waits until standard output accepts more data', async () => {
    service.data.instances = [instance({ transaction: 'A' }), instance({ transaction: 'B' })];
    let [full, written, most] = [false, '', 0];
    const stdout = {
      write(text: string) {
        if (full) throw new Error('written to while it was full');
        written += text;
        most = Math.max(most, text.length);
        full = true;
        return false;
      },
      once(_: 'drain', listener: () => void) {
        setImmediate(() => {
          full = false;
          listener();
        });
      },
    };
    expect(await run(['export', '--api', service.url], { stdout })).toMatchObject({ status: 0 });
    expect(transactions(written)).toEqual(['A', 'B']);
  });

  it.each([
    [['--since', 'yesterday'], 'It must be a time'],
    [['--since', '2026-02-30'], 'It must be a time'],
    [['--model', ''], 'It must not be empty'],
    [['-o', '/no/such/folder/file'], 'cannot write /no/such/folder/file'],
    [['-o', tmpdir()], `cannot write ${tmpdir()}: it is a folder`],
  ])('rejects %j with a usage error', async (argv, message) => {
    const { status, stderr } = await ask(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
