import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { model } from '../../samples.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { json, problem } from '../../stub-service.ts';

startServicePerTest();
let folder: string;
/** The results of the service, page by page. */
let found: (readonly object[])[];
beforeEach(async () => {
  service.data.models = [model('orders', { version: 4 })];
  folder = await mkdtemp(join(tmpdir(), 'milepost-audit-'));
  found = [[matching('A')]];
  service.script = ({ method, url }) => {
    if (method !== 'POST') return undefined;
    const { searchParams } = new URL(url, 'http://localhost');
    const at = Number(searchParams.get('cursor') ?? 0);
    const audits = found[at] ?? [];
    const rebuilding = searchParams.has('dry') ? 0 : audits.length;
    const cursor = at + 1 < found.length ? String(at + 1) : undefined;
    return json(searchParams.has('dry') ? 200 : 202, { audits, rebuilding, cursor });
  };
});
afterEach(() => rm(folder, { recursive: true }));

const replayed = { events: 2, turned: [], turns: 0, isForgotten: false };
const matching = (transaction: string, more: object = {}) => ({
  ...{ transaction, version: 2, row: 'right', replayed },
  ...{ isAsFolded: true, skipped: false, error: null },
  ...more,
});
const differing = (transaction: string) =>
  matching(transaction, {
    isAsFolded: false,
    replayed: { ...replayed, status: { before: 'Low', after: 'High' } },
  });

const ask = (...more: string[]) =>
  run(['replay', '--api', service.url, '--model', 'orders', ...more]);
const asked = () =>
  service.received.filter(({ method }) => method === 'POST').map(({ url }) => url);

describe('milepost replay', () => {
  it('reports that no instance differs, and writes nothing', async () => {
    const { status, stdout } = await ask();
    expect([status, stdout]).toEqual([
      0,
      '1 instance with 2 events folded by version 4 of orders: no differences.\n\n' +
        '1 instance audited: no rebuild needed.\n',
    ]);
    expect(asked()).toEqual(['/api/models/orders/rebuild?dry=true&limit=50']);
  });

  it('lists instances whose times differ from those of a replay', async () => {
    const [monday, friday] = ['2026-01-05T00:00:00.000Z', '2026-01-09T00:00:00.000Z'];
    const times = {
      before: { startedAt: friday, statusSince: friday },
      after: { startedAt: monday, statusSince: friday },
    };
    found = [[matching('A', { isAsFolded: false, replayed: { ...replayed, times } })]];
    const { stdout } = await ask();
    expect(stdout).toMatchInlineSnapshot(`
      "1 instance with 2 events folded by version 4 of orders: 1 would differ.

      Times of 1 instance
        A: started 2026-01-09T00:00:00.000Z -> 2026-01-05T00:00:00.000Z
          status since 2026-01-09T00:00:00.000Z -> 2026-01-09T00:00:00.000Z

      1 of 1 instance needs a rebuild; to start the rebuild, add --apply.
      "
    `);
  });

  it('lists states and status rows that need a rebuild, and instances that cannot be folded', async () => {
    found = [
      [differing('A'), matching('B', { row: 'missing' })],
      [
        matching('C', { error: 'no time', row: null, replayed: null }),
        matching('D', { skipped: true }),
      ],
    ];
    const { stdout } = await ask();
    expect(stdout).toMatchInlineSnapshot(`
      "2 instances with 4 events folded by version 4 of orders: 1 would differ.

      Statuses
      from  to    instances  for example
      Low   High          1  A

      Status rows
      row      instances  for example
      missing          1  B

      Not folded
      instances  error    for example
              1  no time  C

      2 of 3 instances need a rebuild; to start the rebuild, add --apply.
      "
    `);
  });

  it('prints the report as JSON with --json', async () => {
    found = [[matching('B', { row: 'wrong' })]];
    expect(JSON.parse((await ask('--json')).stdout)).toMatchObject({
      ...{ model: 'orders', version: 4, audited: 1, different: 0, toRebuild: 1, rebuilding: 0 },
      rows: [{ row: 'wrong', count: 1, examples: [{ transaction: 'B' }] }],
    });
  });

  it('can be limited to one instance, to status rows, or to changes since a time', async () => {
    await ask('--transaction', 'a/b', '--rows');
    await ask('--since', '2026-01-31T01:00:00+01:00', '--limit', '7');
    expect(asked()).toEqual([
      '/api/instances/orders/a%2Fb/rebuild?dry=true&rows=true',
      '/api/models/orders/rebuild?dry=true&since=2026-01-31T00%3A00%3A00.000Z&limit=7',
    ]);
  });

  it('prints a one-line error if the model does not support audits', async () => {
    service.script = ({ method }) => (method === 'POST' ? problem(409, 'it cannot') : undefined);
    const { status, stderr } = await ask();
    expect([status, stderr]).toEqual([1, 'error: it cannot (409)\n']);
  });
});

describe('milepost replay --apply', () => {
  it('rebuilds the instances that differ', async () => {
    found = [[differing('A')], [differing('B')]];
    const { stdout } = await ask('--apply');
    expect(stdout).toContain('Rebuilding 2 of 2 instances in the background.');
    expect(asked()).toEqual([
      '/api/models/orders/rebuild?limit=50',
      '/api/models/orders/rebuild?limit=50&cursor=1',
    ]);
  });

  it('resumes where it stopped and removes the progress file when it is done', async () => {
    found = [[matching('A')], [differing('B')], [differing('C')]];
    const { script } = service;
    service.script = (request, nth) =>
      request.url.includes('cursor=2') ? problem(500, 'it broke') : script(request, nth);
    const file = join(folder, 'progress.json');
    expect(await ask('--apply', '--progress', file)).toMatchObject({ status: 1 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ cursor: '2' });
    service.script = script;
    service.received.length = 0;
    const { status, stdout, stderr } = await ask('--apply', '--progress', file);
    expect(status).toBe(0);
    expect(stderr).toContain('resumed: the report');
    expect(stdout).toContain('Rebuilding 1 of 1 instance');
    expect(asked()).toEqual(['/api/models/orders/rebuild?limit=50&cursor=2']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects the progress file of another command, and a file that --progress did not write', async () => {
    found = [[matching('A')], [matching('B')]];
    const file = join(folder, 'progress.json');
    const other = { asked: { model: 'orders' }, cursor: '1' };
    await writeFile(file, JSON.stringify(other));
    const { status, stderr } = await ask('--apply', '--progress', file);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `${file} belongs to another command: {"model":"orders"}; use another file`,
    );
    await writeFile(file, 'nonsense');
    expect((await ask('--progress', file)).stderr).toContain(
      'is not a file that --progress wrote; use another file',
    );
    expect(asked()).toEqual([]);
  });

  it('shows a progress bar on a terminal', async () => {
    found = [[matching('A')], [differing('B')]];
    const { script } = service;
    const statuses = [{ status: 'Low', instances: 4, more: false }];
    service.script = (request, nth) =>
      request.url === '/api/overview'
        ? json(200, { models: [{ id: 'orders', statuses }] })
        : script(request, nth);
    const argv = ['replay', '--api', service.url, '--model', 'orders', '--apply'];
    const { stderr } = await run(argv, { columns: 80 });
    expect(stderr).toMatch(/█+░+ +50% +2 instances, 1 to rebuild/);
  });

  it.each([
    [['--apply', '--with', 'x.ts'], 'deploy the changed model first'],
    [['--rows', '--with', 'x.ts'], '--rows and --progress cannot be used with --with'],
    [['--progress', 'p', '--limit', '2'], 'cannot be used with'],
    [['--progress', '/no/such/folder/p'], 'cannot write /no/such/folder/p'],
  ])('rejects %j with a usage error', async (argv, message) => {
    found = [[matching('A')], [matching('B')]];
    const { status, stderr } = await ask(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
