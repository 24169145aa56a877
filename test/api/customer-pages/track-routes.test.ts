import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { decode, sign } from 'hono/jwt';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CustomerStatus } from '../../../src/customer-page/customer-status.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { linkKey, MemoryApi, statusElementOfTests } from '../../support/service/memory-api.ts';

const instance = { model: 'counter', transaction: 'T1' };
interface Link {
  readonly id: string;
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
  const response = await api.trackApp.request(`/track/${token}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('POST /api/links', () => {
  it('creates a link that expires', async () => {
    const answer = await api.send<Link>(
      'POST',
      '/api/links',
      JSON.stringify({ ...instance, expiresIn: 'PT1H' }),
    );
    expect(answer.status).toBe(201);
    const { id, url, token, expiresAt } = answer.body;
    expect(decode(token).payload).toMatchObject({ ...instance, jti: id });
    expect(url).toBe(`http://localhost/track/${token}`);
    expect(Date.parse(expiresAt)).toBe(api.clock.now() + 3_600_000);
  });

  it.each<[string, string, string]>([
    ['a body that is not JSON', '{', 'the body must be'],
    ['a body without an instance', '{}', 'model: is missing'],
    [
      'a model that is not a string',
      JSON.stringify({ ...instance, model: ['counter'] }),
      'model: Invalid type: Expected string but received Array',
    ],
    [
      'a lifetime that is not a duration',
      JSON.stringify({ ...instance, expiresIn: 'soon' }),
      'expiresIn: must be',
    ],
    [
      'a lifetime in months',
      JSON.stringify({ ...instance, expiresIn: 'P1M' }),
      'such as P7D, PT36H, or P1DT12H; got "P1M"',
    ],
    [
      'an unknown member',
      JSON.stringify({ ...instance, expiresin: 'P1D' }),
      'expiresin: unknown key; did you mean `expiresIn`?',
    ],
    [
      'a lifetime that is too long',
      JSON.stringify({ ...instance, expiresIn: 'P367D' }),
      '366 days',
    ],
    ['a lifetime of zero', JSON.stringify({ ...instance, expiresIn: 'PT0S' }), '1 second'],
  ])('rejects %s', async (_, body, detail) => {
    expect(await api.send('POST', '/api/links', body)).toMatchObject(problem(400, detail));
  });

  it.each(['nobody', '', '\u0000'])(
    'responds with 404 if the instance does not exist: %j',
    async (transaction) => {
      const body = JSON.stringify({ model: 'counter', transaction });
      expect(await api.send('POST', '/api/links', body)).toMatchObject(problem(404, 'no instance'));
    },
  );
});

describe('GET /track/{token}', () => {
  it('responds with 404 after its link is revoked, but not after another link is revoked', async () => {
    const [first, second, elsewhere] = [
      await linkTo(),
      await linkTo(),
      await linkTo({ transaction: 'other' }),
    ];
    const statuses = async () => [
      (await page(first.token)).status,
      (await page(second.token)).status,
      (await page(elsewhere.token)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await api.send('DELETE', `/api/instances/counter/T1/links/${first.id}`);
    expect(await statuses()).toEqual([404, 200, 200]);
    const { text } = await page(first.token);
    const gone = 'This status is not available. The link is incomplete or no longer valid.';
    expect(text).toContain(`<h1>${gone}</h1>`);
    expect(text).toContain(`<title>${gone}</title>`);
    await api.send('DELETE', '/api/instances/counter/T1/links');
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  it('responds with 404 to a correctly signed token of a link that was never created', async () => {
    const { token } = await linkTo();
    const { payload } = decode(token);
    const { jti: _, ...withoutId } = payload;
    const wrong = [
      withoutId,
      { ...payload, jti: 7 },
      { ...payload, jti: '' },
      { ...payload, jti: '0mjtfpfk0-dfd8744da9d81190' },
      { ...payload, transaction: 'other' },
    ];
    for (const each of wrong)
      expect((await page(await sign(each, linkKey, 'HS256'))).status).toBe(404);
    expect((await page(await sign(payload, linkKey, 'HS256'))).status).toBe(200);
    expect(api.errors).toEqual([]);
  });

  it('shows the description of the instance, but neither its state nor its id', async () => {
    const milestones = [
      { id: 'low', label: 'Low <b>' },
      { id: 'high', label: 'High' },
    ];
    api.models.register(registryEntry('counter', { milestones, title: 'A & B' }));
    const { token } = await linkTo();
    const { status, text } = await page(token);
    expect(status).toBe(200);
    expect(text).toContain('<div role="status"><h1 part="status"><bdi>Low</bdi></h1></div>');
    expect(text).toContain('A &amp; B');
    expect(text).toContain('Low &lt;b&gt;');
    expect(text).not.toMatch(/sum|"log"|T1|other/);
  });

  it('allows only its own scripts and styles, and forbids shared caching and indexing', async () => {
    const { headers } = await page((await linkTo()).token);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; script-src 'self'; .*require-trusted-types-for 'script'/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  it('responds with 304 until the instance changes', async () => {
    const { token } = await linkTo();
    const tag = (await page(token)).headers.get('etag')!;
    expect((await page(token, { 'if-none-match': tag })).status).toBe(304);
    await api.apply(placed(3, { data: { n: 100 } }));
    const changed = await page(token, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('<bdi>High</bdi></h1>');
  });

  it('responds to every invalid token with the same 404', async () => {
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
      ...otherForms(signature).map((form) => `${head}.${payload}.${form}`),
    ];
    const has = vi.spyOn(api.links, 'has');
    const answers = await Promise.all(wrong.map((each) => page(each)));
    // The link store is not read for a token with an invalid signature.
    expect(has).not.toHaveBeenCalled();
    await api.clock.advance(59_999);
    expect((await page(token)).status).toBe(200);
    await api.clock.advance(1);
    answers.push(await page(token));
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, answers[0]!.text]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(api.errors).toEqual([]);
  });

  it('responds with 503 if AWS never responds', async () => {
    const { token } = await linkTo();
    api.links.has = () => new Promise(() => undefined);
    const { status, headers } = await api.clock.runUntil(page(token));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('does not log the token if a request fails', async () => {
    const { token } = await linkTo();
    api.instances.interfere = () => {
      throw new Error('the table is gone');
    };
    expect((await page(token)).status).toBe(500);
    expect(api.errors).toHaveLength(1);
    expect(inspect(api.errors, { depth: Infinity })).not.toContain(token);
  });

  it('shows the id of the model as the title if the model is no longer registered', async () => {
    const { token } = await linkTo({ transaction: 'other' });
    api.models.unregister('counter');
    const { text } = await page(token);
    expect(text).toContain('<bdi>counter</bdi></p>');
  });
});

/** Returns other strings that a lenient Base64 decoder decodes to the same bytes. */
function otherForms(signature: string): string[] {
  const bytes = Buffer.from(signature, 'base64url');
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const variants = Array.from(digits, (digit) => signature.slice(0, -1) + digit);
  const forms = [...variants, `${signature}=`].filter((form) => form !== signature);
  return forms.filter((form) => Buffer.from(form, 'base64url').equals(bytes));
}

describe('the language of GET /track/{token}', () => {
  const labels = { de: { Counter: 'Zähler', Low: 'Niedrig' }, ar: { Low: 'منخفض' } };
  const html = async (path: string, headers: Record<string, string> = {}) =>
    (await page(`${(await linkTo()).token}${path}`, headers)).text;

  it.each<[what: string, path: string, accepted: string, lang: string]>([
    ['the language in the parameter `lang`', '?lang=fr', 'de', '<html lang="fr" dir="ltr">'],
    [
      'the available language with the highest priority in Accept-Language',
      '',
      'nl, es;q=0.5, pt-BR;q=0.8',
      '<html lang="pt-BR" dir="ltr">',
    ],
    ['Arabic, written from right to left', '', 'ar-EG', '<html lang="ar-EG" dir="rtl">'],
    ['English if there is no translation', '?lang=nl', 'ja', '<html lang="en" dir="ltr">'],
    ['English for invalid tags', '?lang=%22%3E', '*, x', '<html lang="en" dir="ltr">'],
    [
      'the language of a tag, without its extensions',
      '?lang=de-u-ca-hebrew',
      '',
      '<html lang="de" dir="ltr">',
    ],
  ])('is %s', async (_, path, accepted, lang) => {
    expect(await html(path, { 'accept-language': accepted })).toContain(lang);
  });

  it('is used for the names in the model that have a translation', async () => {
    api.models.register(registryEntry('counter', { title: 'Counter', labels }));
    expect(await html('?lang=de')).toContain('<title>Niedrig · Zähler</title>');
    expect(await html('?lang=ar')).toContain('<title>منخفض · Counter</title>');
    expect(await html('?lang=fr')).toContain('<title>Low · Counter</title>');
  });

  it('is also used for the page for an invalid link', async () => {
    const { status, text } = await page('nothing?lang=es');
    expect(status).toBe(404);
    expect(text).toContain('El enlace está incompleto o ya no es válido.');
  });
});

describe('GET /track/{token} as JSON', () => {
  const accept = { accept: 'application/json' };
  const json = async (path: string) => {
    const { text, ...rest } = await page(path, accept);
    return { ...rest, body: JSON.parse(text) as CustomerStatus };
  };

  it('returns the status for `<milepost-status>` on pages from any origin', async () => {
    const milestones = [{ id: 'low', label: 'Low' }];
    const labels = { de: { Low: 'Niedrig' } };
    api.models.register(registryEntry('counter', { title: 'Counter', milestones, labels }));
    const { status, headers, body } = await json(`${(await linkTo()).token}?lang=de`);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('vary')).toMatch(/accept, accept-language/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(body).toEqual({
      title: 'Counter',
      reference: null,
      status: 'Niedrig',
      done: false,
      progress: null,
      since: expect.any(String),
      milestones: [
        { label: 'Niedrig', state: expect.any(String), at: null, expectedBy: null, likelyBy: null },
      ],
    });
  });

  it('responds to an invalid link with a problem that pages from any origin can read', async () => {
    const { status, headers, text } = await page('nothing', accept);
    expect([status, JSON.parse(text)]).toMatchObject([404, { status: 404, title: 'Not found' }]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('does not let other origins read the HTML page', async () => {
    const { token } = await linkTo();
    for (const each of [token, 'nothing'])
      expect((await page(each)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('GET /track/milepost-status.js', () => {
  it('returns the module for pages from any origin', async () => {
    const { status, headers, text } = await page('milepost-status.js');
    expect([status, text]).toEqual([200, statusElementOfTests]);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const again = await page('milepost-status.js', { 'if-none-match': headers.get('etag')! });
    expect(again.status).toBe(304);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is loaded from a URL that changes with the content of the module', async () => {
    const { text } = await page((await linkTo()).token);
    const version = hash('sha256', statusElementOfTests, 'hex').slice(0, 16);
    expect(text).toContain(`<script type="module" src="milepost-status.js?v=${version}"></script>`);
  });
});
