import { beforeEach, describe, expect, it } from 'vitest';
import { placed } from '../support/events.ts';
import { MemoryApi } from '../support/memory-api.ts';
import { registryEntry } from '../support/memory-model-registry.ts';
import { problem } from '../support/problem.ts';

const instance = { model: 'counter', transaction: 'T1' };
interface Link {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: string;
}

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(
    placed(1, { data: { n: 3 } }),
    placed(2, { transaction: 'other', data: { n: 4 } }),
  );
});

const linkTo = async (more: object = {}) =>
  (await api.send<Link>('POST', '/api/links', JSON.stringify({ ...instance, ...more }))).body;

async function page(token: string, headers: Record<string, string> = {}) {
  const response = await api.app.request(`/track/${token}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('POST /api/links', () => {
  it('makes a link that expires', async () => {
    const answer = await api.send<Link>(
      'POST',
      '/api/links',
      JSON.stringify({ ...instance, expiresIn: 'PT1H' }),
    );
    expect(answer.status).toBe(201);
    const { url, token, expiresAt } = answer.body;
    expect(url).toBe(`http://localhost/track/${token}`);
    expect(Date.parse(expiresAt)).toBe(api.clock.now() + 3_600_000);
  });

  it.each<[string, string, string]>([
    ['what is no JSON', '{', 'the body must be'],
    ['no instance', '{}', 'the body must be'],
    ['no duration', JSON.stringify({ ...instance, expiresIn: 'soon' }), 'expiresIn must be'],
    ['a month', JSON.stringify({ ...instance, expiresIn: 'P1M' }), 'such as P7D'],
    ['an unknown member', JSON.stringify({ ...instance, expiresin: 'P1D' }), 'expiresin'],
    ['too long', JSON.stringify({ ...instance, expiresIn: 'P367D' }), '366 days'],
    ['no time at all', JSON.stringify({ ...instance, expiresIn: 'PT0S' }), 'a second'],
  ])('refuses %s', async (_, body, detail) => {
    expect(await api.send('POST', '/api/links', body)).toMatchObject(problem(400, detail));
  });

  it.each(['nobody', '', '\u0000'])(
    'makes none to an instance that is not there: %j',
    async (transaction) => {
      const body = JSON.stringify({ model: 'counter', transaction });
      expect(await api.send('POST', '/api/links', body)).toMatchObject(problem(404, 'no instance'));
    },
  );
});

describe('GET /track/{token}', () => {
  it("shows what the model says to people, and nothing of the state or the instance's name", async () => {
    const milestones = [
      { id: 'low', label: 'Low <b>' },
      { id: 'high', label: 'High' },
    ];
    api.models.entries.set('counter', registryEntry('counter', { milestones, title: 'A & B' }));
    const { token } = await linkTo();
    const { status, text } = await page(token);
    expect(status).toBe(200);
    expect(text).toContain('<h1 role="status">Low</h1>');
    expect(text).toContain('A &amp; B');
    expect(text).toContain('Low &lt;b&gt;');
    expect(text).not.toMatch(/sum|"log"|T1|other/);
  });

  it('loads and runs nothing but itself, and is not kept or found', async () => {
    const { headers } = await page((await linkTo()).token);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  it('has no body until something changes', async () => {
    const { token } = await linkTo();
    const tag = (await page(token)).headers.get('etag')!;
    expect((await page(token, { 'if-none-match': tag })).status).toBe(304);
    await api.apply(placed(3, { data: { n: 100 } }));
    const changed = await page(token, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('<h1 role="status">High</h1>');
  });

  it('says the same to whatever is wrong with a token', async () => {
    const { token } = await linkTo({ expiresIn: 'PT1M' });
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const altered = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('T1', 'other'),
    ).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    const wrong = [
      'nothing',
      '%00',
      'a.b.c',
      `${head}.${altered}.${signature}`,
      `${head}.${payload}.${flipped}`,
      `${head}.${payload}.`,
      `${unsigned}.${payload}.`,
    ];
    const answers = await Promise.all(wrong.map((each) => page(each)));
    await api.clock.advance(59_999);
    expect((await page(token)).status).toBe(200);
    await api.clock.advance(1);
    answers.push(await page(token));
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, 'There is nothing here.\n']);
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
    }
    expect(api.errors).toEqual([]);
  });

  it('is good for the instance that it was made for', async () => {
    const { token } = await linkTo({ transaction: 'other' });
    api.models.entries.clear();
    const { text } = await page(token);
    expect(text).toContain('<p class="title">counter</p>');
  });
});
