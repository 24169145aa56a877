import { beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '../../../src/api/app.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

interface Link {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}
interface Page {
  readonly links: readonly Link[];
  readonly cursor?: string;
}

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(placed(1), placed(2, { transaction: 'a/b' }));
});

const linkTo = async (transaction: string, expiresIn = 'PT1H') => {
  const body = JSON.stringify({ model: 'counter', transaction, expiresIn });
  return (await api.send<Link>('POST', '/api/links', body)).body.id;
};
const pathOf = (transaction: string) =>
  `/api/instances/counter/${encodeURIComponent(transaction)}/links`;
const linksOf = async (transaction: string) =>
  (await api.get<Page>(pathOf(transaction))).body.links;

describe('GET /api/instances/{model}/{transaction}/links', () => {
  it('lists the valid links, newest first, with their creation and expiry times', async () => {
    const now = api.clock.now();
    const first = await linkTo('T1', 'PT1M');
    await api.clock.advance(1_000);
    const second = await linkTo('T1', 'PT1H');
    await linkTo('a/b');
    const at = (ms: number) => new Date(ms).toISOString();
    expect(await linksOf('T1')).toEqual([
      { id: second, createdAt: at(now + 1_000), expiresAt: at(now + 3_601_000) },
      { id: first, createdAt: at(now), expiresAt: at(now + 60_000) },
    ]);
    await api.clock.advance(59_000);
    expect((await linksOf('T1')).map(({ id }) => id)).toEqual([second]);
  });

  it('never contains a token', async () => {
    const body = JSON.stringify({ model: 'counter', transaction: 'T1' });
    const { token } = (await api.send<{ token: string }>('POST', '/api/links', body)).body;
    const answer = JSON.stringify((await api.get(pathOf('T1'))).body);
    for (const part of token.split('.')) expect(answer).not.toContain(part);
  });

  it('returns links in pages', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      made.unshift(await linkTo('T1'));
      await api.clock.advance(1);
    }
    const first = (await api.get<Page>(`${pathOf('T1')}?limit=2`)).body;
    const rest = (await api.get<Page>(`${pathOf('T1')}?limit=2&cursor=${first.cursor}`)).body;
    expect([...first.links, ...rest.links].map(({ id }) => id)).toEqual(made);
    expect(rest.cursor).toBeUndefined();
    const ofOther = `${pathOf('a/b')}?limit=2&cursor=${first.cursor}`;
    expect(await api.get(ofOther)).toMatchObject(problem(400, 'a different path'));
    expect(await api.get(`${pathOf('T1')}?cursor=x`)).toMatchObject(problem(400, 'cursor'));
    const long = Buffer.from('x'.repeat(60)).toString('base64url');
    expect(await api.get(`${pathOf('T1')}?cursor=${long}`)).toMatchObject(problem(400, 'cursor'));
  });

  it('returns an empty list if there are no links, and responds with 404 if the instance does not exist', async () => {
    expect(await api.get(pathOf('T1'))).toMatchObject({
      status: 200,
      body: { links: [], customerPages: true },
    });
    expect(await api.get(pathOf('nobody'))).toMatchObject(problem(404, 'no instance'));
    expect(await api.get(pathOf('\u0000'))).toMatchObject(problem(404, 'no instance'));
  });
});

describe('DELETE /api/instances/{model}/{transaction}/links/{id}', () => {
  it('revokes only the given link', async () => {
    const [first, second] = [await linkTo('a/b'), await linkTo('a/b')];
    expect(await api.send('DELETE', `${pathOf('a/b')}/${first}`)).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect((await linksOf('a/b')).map(({ id }) => id)).toEqual([second]);
  });

  it('responds with 404 if the link does not exist', async () => {
    const id = await linkTo('T1');
    const wrong = [
      `${pathOf('a/b')}/${id}`,
      `${pathOf('nobody')}/${id}`,
      `${pathOf('T1')}/${id}x`,
      `${pathOf('T1')}/${'x'.repeat(2_000)}`,
    ];
    for (const path of wrong)
      expect(await api.send('DELETE', path)).toMatchObject(problem(404, 'has no link'));
    expect(await linksOf('T1')).toHaveLength(1);
    await api.send('DELETE', `${pathOf('T1')}/${id}`);
    expect(await api.send('DELETE', `${pathOf('T1')}/${id}`)).toMatchObject(
      problem(404, `has no link ${id}`),
    );
  });
});

describe('DELETE /api/instances/{model}/{transaction}/links', () => {
  it('revokes all links of an instance and returns their number', async () => {
    await linkTo('T1');
    await linkTo('T1');
    const kept = await linkTo('a/b');
    const revoke = () => api.send('DELETE', pathOf('T1'));
    expect(await revoke()).toMatchObject({ status: 200, body: { revoked: 2 } });
    expect(await revoke()).toMatchObject({ status: 200, body: { revoked: 0 } });
    expect((await linksOf('a/b')).map(({ id }) => id)).toEqual([kept]);
    expect(await api.send('DELETE', pathOf('\u0000'))).toMatchObject(problem(404, 'no instance'));
  });

  it('revokes the links even if the instance cannot be read', async () => {
    await linkTo('T1');
    api.instances.interfere = () => {
      throw new Error('the table is gone');
    };
    expect((await api.send('DELETE', pathOf('T1'))).body).toEqual({ revoked: 1 });
  });
});

describe('the links of an instance', () => {
  it('can be listed but not revoked by a viewer', async () => {
    const id = await linkTo('T1');
    api.roles = ['viewer'];
    expect((await api.get(pathOf('T1'))).status).toBe(200);
    expect(await api.send('DELETE', `${pathOf('T1')}/${id}`)).toMatchObject(problem(403));
    expect(await api.send('DELETE', pathOf('T1'))).toMatchObject(problem(403));
    expect(await linksOf('T1')).toHaveLength(1);
    api.roles = [];
    expect(await api.get(pathOf('T1'))).toMatchObject(problem(403));
  });
});

describe('an API without customer status pages', () => {
  it('creates no links, and says how to turn the pages on', async () => {
    const { links: _, ...others } = api.dependencies;
    const app = createApi(others);
    const body = JSON.stringify({ model: 'counter', transaction: 'T1' });
    const refused = await app.request('/api/links', { method: 'POST', body });
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { detail: expect.stringContaining('set `customerPages` in the CDK app') },
    ]);
    const path = pathOf('T1');
    expect(await (await app.request(path)).json()).toEqual({ links: [], customerPages: false });
    const revoked = await app.request(path, { method: 'DELETE' });
    expect(await revoked.json()).toEqual({ revoked: 0 });
    expect((await app.request(`${path}/x`, { method: 'DELETE' })).status).toBe(404);
  });
});
