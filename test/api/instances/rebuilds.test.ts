import { beforeEach, describe, expect, it } from 'vitest';
import type { Audit } from '../../../src/core/replay/audit.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi, type ProblemBody } from '../../support/service/memory-api.ts';

interface Body {
  readonly audits: readonly Audit[];
  readonly rebuilding: number;
  readonly cursor?: string;
}

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  for (const [index, transaction] of ['T1', 'T2', 'a/b'].entries())
    await api.apply(placed(index + 1, { transaction }));
});

const rebuild = (query = '') => api.send<Body>('POST', `/api/models/counter/rebuild${query}`);
const rebuilt = () =>
  api.stream.records.map(({ partitionKey, data }) => {
    const { type, source, transactionid, data: asked } = JSON.parse(Buffer.from(data).toString());
    return { partitionKey, type, source, transactionid, asked };
  });
const wrong = (transaction: string) => {
  const row = api.instances.rowOf({ model: 'counter', transaction })!;
  api.instances.putRow({ ...row, status: 'High' });
};
/** Stores a wrong state so that an instance differs from its history. */
const tamper = (transaction: string) => {
  const [commit] = api.instances.commitsOf({ model: 'counter', transaction });
  api.instances.putCommits({ ...commit!, state: '{"sum":9,"log":[]}' });
};

describe('POST /api/models/{model}/rebuild', () => {
  it('requests the rebuild of each instance that differs from its history, with one event per instance', async () => {
    wrong('T1');
    tamper('a/b');
    const { status, body } = await rebuild();
    expect([status, body.rebuilding, body.audits.length]).toEqual([202, 2, 3]);
    expect(rebuilt()).toEqual([
      {
        ...{ partitionKey: 'T1', transactionid: 'T1', asked: { rowsOnly: true } },
        ...{ type: 'milepost.rebuild', source: 'milepost:api' },
      },
      expect.objectContaining({ transactionid: 'a/b', asked: { rowsOnly: false } }),
    ]);
  });

  it('rebuilds instances without a status row', async () => {
    for (const transaction of ['T1', 'T2', 'a/b'])
      api.instances.deleteRow({ model: 'counter', transaction });
    expect((await rebuild()).body.rebuilding).toBe(3);
  });

  it('only reports differences in a dry run', async () => {
    tamper('T2');
    const { status, body } = await rebuild('?dry=true');
    expect([status, body.rebuilding]).toEqual([200, 0]);
    expect(body.audits).toMatchObject([
      { transaction: 'T1', isAsFolded: true, row: 'right' },
      { transaction: 'T2', isAsFolded: false },
      { transaction: 'a/b', isAsFolded: true },
    ]);
    expect(api.stream.records).toEqual([]);
  });

  it('returns pages and continues after the last audited instance', async () => {
    api.auditor.atOnce = 1;
    const seen: string[] = [];
    let query = '?dry=true&limit=2';
    for (let page = 0; page < 5; page++) {
      const { body } = await rebuild(query);
      seen.push(...body.audits.map(({ transaction }) => transaction));
      if (body.cursor === undefined) break;
      query = `?dry=true&limit=2&cursor=${body.cursor}`;
    }
    expect(seen).toEqual(['T1', 'T2', 'a/b']);
    api.models.register(registryEntry('adder'));
    const ofOther = `/api/models/adder/rebuild${query}`;
    expect(await api.send('POST', ofOther)).toMatchObject(problem(400, 'a different path'));
  });

  it('accepts `rows` to check only status rows, and `since` to limit the instances', async () => {
    tamper('T2');
    wrong('T1');
    expect((await rebuild('?rows=true')).body.rebuilding).toBe(1);
    const later = new Date(api.clock.now() + 1).toISOString();
    expect((await rebuild(`?since=${later}`)).body.audits).toMatchObject([
      { skipped: true },
      { skipped: true },
      { skipped: true },
    ]);
  });

  it.each([
    ['?since=soon', 400, '`since` must be an RFC 3339 time'],
    ['?dry=maybe', 400, '`dry` must be true or false'],
    ['?rows=2', 400, '`rows` must be true or false'],
    ['?limit=101', 400, '`limit` must be'],
    ['?cursor=!', 400, '`cursor` must come'],
  ])('rejects %s with %i', async (query, status, detail) => {
    const { body, ...answer } = await rebuild(query);
    expect(answer.status).toBe(status);
    expect((body as unknown as ProblemBody).detail).toContain(detail);
    expect(api.stream.records).toEqual([]);
  });

  it.each([
    ['failed', 409],
    ['unavailable', 503],
  ] as const)('responds to the audit failure `%s` with status %i', async (kind, expected) => {
    api.auditor.fails = { kind, reason: 'audit not supported' };
    const { status, body } = await rebuild();
    expect(status).toBe(expected);
    expect((body as unknown as ProblemBody).detail).toContain('audit not supported');
  });

  it('requires the operator role, even for a dry run', async () => {
    api.roles = ['viewer'];
    expect((await rebuild('?dry=true')).status).toBe(403);
  });

  it('responds with 404 if the model does not exist', async () => {
    expect((await api.send('POST', '/api/models/none/rebuild')).status).toBe(404);
  });
});

describe('POST /api/instances/{model}/{transaction}/rebuild', () => {
  const one = (transaction: string, query = '') =>
    api.send<Body>(
      'POST',
      `/api/instances/counter/${encodeURIComponent(transaction)}/rebuild${query}`,
    );

  it('requests the rebuild of the instance if it differs from its history', async () => {
    tamper('a/b');
    tamper('T1');
    expect((await one('a/b', '?dry=true')).body).toMatchObject({
      rebuilding: 0,
      audits: [{ transaction: 'a/b', isAsFolded: false }],
    });
    expect((await one('a/b')).body.rebuilding).toBe(1);
    expect(rebuilt().map(({ transactionid }) => transactionid)).toEqual(['a/b']);
  });

  it('requests no rebuild if the instance matches its history', async () => {
    const { status, body } = await one('T1');
    expect([status, body.rebuilding]).toEqual([202, 0]);
    expect(api.stream.records).toEqual([]);
  });

  it('responds with 404 if the instance does not exist', async () => {
    expect((await one('none')).status).toBe(404);
  });
});
