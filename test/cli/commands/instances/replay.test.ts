import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../../../src/core/replay/replay-report.ts';
import { run } from '../../run.ts';
import { entry, instance } from '../../samples.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { json, problem } from '../../stub-service.ts';

startServicePerTest();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-replay-'));
});
afterAll(() => rm(folder, { recursive: true }));

const milepost = fileURLToPath(new URL('../../../../index.ts', import.meta.url));
let files = 0;

/** Writes a file with a candidate model: a counter whose status is `Many` starting at a given number. */
async function candidate(more = '', many = 2): Promise<string> {
  const text = `
    import { accept, defineModel, reject } from ${JSON.stringify(milepost)};
    interface State { readonly n: number }
    const any = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
    const named = (id: string) => defineModel({
      id, title: 'Counts', version: 2, statuses: ['Few', 'Many'], events: { counted: any },
      initial: (): State => ({ n: 0 }),
      transition: (event, { n }) => event.id === 'bad' ? reject('it is bad') : accept({ n: n + 1 }),
      describe: ({ n }) => ({ status: n < ${many} ? 'Few' : 'Many' }),
    });
    export const counts = named('counts');
    ${more}`;
  const file = join(folder, `model-${++files}.ts`);
  await writeFile(file, text);
  return file;
}

const counted = (n: number, id = `e${n}`, status = 'Few') =>
  entry(n, {
    event: { id, source: 'test', type: 'counted', time: '2026-01-01T00:00:00Z', data: {} },
    status,
    state: { n },
  });

/** Adds an instance with the given number of events to the service. */
function addInstance(transaction: string, ids: readonly string[], changes = {}) {
  service.data.instances.push(
    instance({
      ...{ model: 'counts', transaction, version: ids.length, progress: null, ...changes },
    }),
  );
  service.data.histories[`counts/${transaction}`] = ids.map((id, index) => counted(index + 1, id));
}

const ask = (...more: string[]) => run(['replay', '--api', service.url, ...more]);
async function report(...more: string[]): Promise<ReplayReport> {
  const { stdout, stderr, status } = await ask('--json', ...more);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as ReplayReport;
}

describe('milepost replay --with', () => {
  it('warns about instances whose history cannot be read, and replays all other instances', async () => {
    addInstance('A', ['e1']);
    addInstance('a/../b', ['e1']);
    addInstance('damaged', ['e1']);
    addInstance('Z', ['e1']);
    service.script = ({ url }) =>
      url.includes('/damaged') ? problem(500, 'the service failed') : undefined;
    const { status, stdout, stderr } = await ask('--with', await candidate());
    expect(status).toBe(1);
    const said = stderr.trimEnd().split('\n');
    expect(said.pop()).toBe(
      'error: the report is incomplete: it lacks 2 instances; see the warnings above',
    );
    expect(said.toSorted()).toEqual([
      expect.stringMatching(/^warning: skipped counts\/a\/\.\.\/b: /),
      'warning: skipped counts/damaged: the service failed (500)',
    ]);
    expect(stdout).toContain('2 instances with 2 events folded');
  });

  it('reports the differences with examples and writes nothing', async () => {
    addInstance('A', ['e1']);
    addInstance('B', ['e1', 'e2']);
    addInstance('C', ['bad']);
    const { status, stdout } = await ask('--with', await candidate());
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "3 instances with 4 events folded by version 2 of counts: 2 would differ.

      Statuses
      from  to    instances  for example
      Few   Many          1  B

      Events
      would be               type     events  reason     for example
      rejected, was applied  counted       1  it is bad  C (bad)

      States of 1 instance
        C: from counted bad (version 1) on
          /n: 1 -> 0
      "
    `);
    expect(new Set(service.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('reports that there are no differences', async () => {
    addInstance('A', ['e1']);
    const { stdout } = await ask('--with', await candidate());
    expect(stdout).toBe('1 instance with 1 event folded by version 2 of counts: no differences.\n');
  });

  it('prints the report as JSON with --json', async () => {
    addInstance('B', ['e1', 'e2']);
    expect(await report('--with', await candidate())).toEqual({
      ...{ model: 'counts', version: 2, instances: 1, events: 2, different: 1 },
      statuses: [{ before: 'Few', after: 'Many', count: 1, examples: [{ transaction: 'B' }] }],
      ...{ outcomes: [], faults: [], done: [], forgotten: 0 },
      ...{ states: none, progress: none, timers: none, times: none },
    });
  });

  it('replays hundreds of instances and every page of a long history', async () => {
    for (let n = 0; n < 101; n++) addInstance(`T${n}`, ['e1']);
    addInstance(
      'long',
      Array.from({ length: 120 }, (_, n) => `e${n}`),
    );
    const { instances, events } = await report('--with', await candidate('', 1000));
    expect([instances, events]).toEqual([102, 221]);
  });

  it('can be limited to changes since a time, to one instance, or to a number of instances', async () => {
    addInstance('old', ['e1'], { updatedAt: '2026-01-01T00:00:00Z' });
    addInstance('new', ['e1', 'e2'], { updatedAt: '2026-02-01T00:00:00Z' });
    const file = await candidate();
    expect(await report('--with', file, '--since', '2026-02-01')).toMatchObject({ events: 2 });
    expect(await report('--with', file, '--transaction', 'old')).toMatchObject({ events: 1 });
    expect(await report('--with', file, '--limit', '1')).toMatchObject({ instances: 1 });
  });

  it('skips an instance without a history, whose first event is parked', async () => {
    addInstance('A', [], { version: 0 });
    expect(await report('--with', await candidate())).toMatchObject({ instances: 1, different: 0 });
    expect(service.received.filter(({ url }) => url.includes('/history'))).toEqual([]);
  });

  it('shows progress on a terminal', async () => {
    addInstance('A', ['e1']);
    const statuses = [{ status: 'Few', instances: 2, more: false }];
    service.script = ({ url }) =>
      url === '/api/overview' ? json(200, { models: [{ id: 'counts', statuses }] }) : undefined;
    const argv = ['replay', '--api', service.url, '--with', await candidate()];
    const { stderr } = await run(argv, { columns: 80 });
    expect(stderr).toContain('50%  1 instance, 1 event, 0 differ');
  });

  it('passes replyTo to the model', async () => {
    addInstance('A', ['e1']);
    const asked = counted(1) as { event: Record<string, unknown> };
    asked.event.replyto = 'orders/a/b';
    service.data.histories['counts/A'] = [asked];
    const file = await candidate(`export default { ...named('counts'),
      describe: () => ({ status: 'Few' }),
      transition: (event) => accept(event.replyTo) };`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('export const counts', 'const counts'));
    const { states } = await report('--with', file);
    expect(states.examples[0]?.changes).toContainEqual({ path: '/transaction', after: 'a/b' });
  });

  it('prints an error from the API in one line', async () => {
    service.script = () => problem(403, 'not yours');
    const { status, stderr } = await ask('--with', await candidate());
    expect([status, stderr]).toEqual([1, 'error: not yours (403)\n']);
  });
});

const none = { count: 0, examples: [] };

describe('the model of milepost replay --with', () => {
  it('can be exported twice and alongside other exports', async () => {
    const file = await candidate('export default counts; export const more = [1];');
    expect(await report('--with', file, '--model', 'counts')).toMatchObject({ instances: 0 });
  });

  it('can use what only a bundler supports: an import without an extension, and an enum', async () => {
    await writeFile(join(folder, 'color.ts'), "export enum Color { Red = 'red' }");
    const file = await candidate("import { Color } from './color';\nexport const c = Color.Red;");
    expect(await report('--with', file)).toMatchObject({ instances: 0 });
  });

  it('causes a usage error with the position of the first mistake if its file does not compile', async () => {
    const { status, stderr } = await ask('--with', await candidate("import './missing';"));
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot load .*model-\d+\.ts:\d+:\d+: Could not resolve ".\/missing"/);
  });

  it.each([
    [
      'exports several models',
      'exports several models: counts, other',
      "export const other = named('other');",
    ],
    ['throws an error', 'cannot load', "throw new Error('it broke');"],
  ])('causes a usage error if its file %s', async (_, message, more) => {
    const { status, stderr } = await ask('--with', await candidate(more));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    [
      'export const handler = () => undefined;',
      'specify the file that defines the model, not its Lambda',
    ],
    ['export const n = 1;', 'exports no model\n'],
    ['export const', 'cannot load'],
  ])('causes a usage error if its file does not export a model: %j', async (text, message) => {
    const file = join(folder, `none-${++files}.ts`);
    await writeFile(file, text);
    const { status, stderr } = await ask('--with', file);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    [['--with', '/no/such/file.ts'], 'cannot load /no/such/file.ts: there is no such file'],
    [[], 'replay requires --model, or --with and a file that exports a model'],
    [['--with', 'x.ts', '--limit', '0'], 'an integer of at least 1'],
    [['--with', 'x.ts', '--since', 'soon'], 'It must be a time'],
    [['--with', 'x.ts', '--transaction', 'T', '--limit', '2'], 'cannot be used with'],
  ])('causes a usage error with %j', async (argv, message) => {
    const { status, stderr } = await ask(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('causes a usage error if its id differs from the id in --model', async () => {
    const { status, stderr } = await ask('--model', 'orders', '--with', await candidate());
    expect(status).toBe(2);
    expect(stderr).toContain('exports the model counts, not orders');
  });
});
