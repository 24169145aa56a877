import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';
import {
  expectAccessible,
  expectNoHorizontalScrolling,
  findBrowser,
  startBrowser,
  watchShifts,
} from './browser.ts';

const service = sharedService();
const hour = 3_600_000;
const phone = { viewport: { width: 390, height: 760 } } as const;

let browser: Browser;
let shop: Server;
let shopOrigin: string;

/** Reports that a service request reached a milestone at a time, in milliseconds since 1970. */
async function reach(transactionid: string, milestone: string, time = Date.now()): Promise<void> {
  await service.post({
    id: milestone,
    source: 'test',
    type: 'milestone.reached',
    modelid: 'service-request',
    transactionid,
    time: new Date(time).toISOString(),
    data: { milestone, number: `No. ${transactionid}` },
  });
  const path = instancePath('service-request', transactionid);
  await service.eventually<{ milestones: readonly { id: string; at: string | null }[] }>(
    path,
    ({ milestones }) => milestones.some(({ id, at }) => id === milestone && at !== null),
  );
}

async function linkTo(transaction: string, expiresIn = 'P1D'): Promise<string> {
  const { body } = await service.ask<{ url: string }>('/api/links', {
    method: 'POST',
    body: JSON.stringify({ model: 'service-request', transaction, expiresIn }),
  });
  return body.url;
}

/** Opens a browser window with the time zone of Berlin, and collects the errors of its pages. */
async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const isKnown = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isKnown) errors.push(message.text());
  });
  return { page, errors, [Symbol.asyncDispose]: () => context.close() };
}

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const background = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

/** A JavaScript expression that finds the element in a page. */
const element = "document.querySelector('milepost-status')";

/** Returns the address of a shop page that contains the element. */
const inShop = (src: string, attributes = '') =>
  `${shopOrigin}/?${new URLSearchParams({ src, attributes }).toString()}`;

beforeAll(async () => {
  const path = findBrowser();
  if (path === undefined)
    throw new Error('chromium, chromium-browser, or google-chrome must be on the PATH');
  browser = await startBrowser(path);
  shop = createServer((request, response) => {
    const query = new URL(request.url!, 'http://shop').searchParams;
    const { api } = service.ready;
    // Use the strictest policy that permits the element.
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${api}; connect-src ${api}; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>The shop</title>
      <meta name="viewport" content="width=device-width">
      <main><h1>Your order</h1>
      <milepost-status src="${query.get('src')}" ${query.get('attributes')}><p>We are on it.</p></milepost-status></main>
      <script type="module" src="${api}/track/milepost-status.js"></script></html>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => shop.once('listening', resolve));
  shopOrigin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
});

describe('the customer page', () => {
  it("shows dates in words in the customer's time zone, and updates itself", async () => {
    const link = await (async () => {
      await reach('CP-1', 'received');
      return linkTo('CP-1');
    })();
    await using window = await open();
    const { page, errors } = window;
    const shifts = await watchShifts(page);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Received', level: 1 }).waitFor();
    await see(page, 'No. CP-1');
    expect(await page.title()).toBe('Received · Customer service request');
    await see(page, 'This status updates automatically.');
    const verified = page.getByRole('listitem').filter({ hasText: 'Verified' });
    expect(await verified.textContent()).toMatch(/next · expected tomorrow by \d\d:\d\d$/);
    expect(await verified.locator('time').getAttribute('title')).toMatch(/ CES?T$/);
    await reach('CP-1', 'verified');
    await page.getByRole('heading', { name: 'Verified', level: 1 }).waitFor();
    expect(await page.title()).toBe('Verified · Customer service request');
    expect(await shifts()).toBeLessThan(0.05);
    expect(errors).toEqual([]);
  });

  it('is accessible in all languages, in both themes, and on a phone', async () => {
    await reach('CP-2', 'received', Date.now() - 100 * hour);
    const link = await linkTo('CP-2');
    await using window = await open();
    const { page, errors } = window;
    for (const [lang, direction, late] of [
      ['en', 'ltr', 'delayed'],
      ['de', 'ltr', 'verspätet'],
      ['es', 'ltr', 'con retraso'],
      ['fr', 'ltr', 'en retard'],
      ['pt', 'ltr', 'atrasado'],
      ['ar', 'rtl', 'متأخرة'],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${link}?lang=${lang}`);
      await see(page, late);
      expect(await page.locator('html').getAttribute('dir')).toBe(direction);
      await expectAccessible(page);
      const light = await background(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await background(page)).not.toBe(light);
      await page.setViewportSize(phone.viewport);
      await expectNoHorizontalScrolling(page);
      await expectAccessible(page, ['color-contrast']);
    }
    expect(errors).toEqual([]);
  });

  it('shows times in UTC, with a note, if the browser does not run scripts', async () => {
    await reach('CP-3', 'received');
    await using window = await open({ javaScriptEnabled: false });
    await window.page.goto(await linkTo('CP-3'));
    await see(window.page, /^done · today at \d\d:\d\d \(UTC\)$/);
    const note = window.page.locator('noscript');
    expect(await note.isVisible()).toBe(true);
    expect(await note.textContent()).toBe(
      'Dates and times are in UTC. Reload the page for updates.',
    );
    expect(await window.page.getByText('updates automatically').count()).toBe(0);
  });

  it('does not scroll horizontally, even if the texts of the model contain long words', async () => {
    await reach('CP-4', 'received');
    const link = await linkTo('CP-4');
    await using window = await open();
    const { page } = window;
    const word = 'w'.repeat(60);
    await page.route(`${link}?*`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /"(?:Customer service request|Received|No\. CP-4)"/g,
        `"${word}"`,
      );
      await route.fulfill({ response, body });
    });
    await page.setViewportSize({ width: 320, height: 600 });
    await page.goto(link);
    await page.getByRole('heading', { name: word }).waitFor();
    expect(await page.title()).toBe(`${word} · ${word}`);
    await expectNoHorizontalScrolling(page);
  });

  it('shows the status in browsers without declarative shadow DOM and adopted style sheets', async () => {
    await reach('CP-5', 'received');
    const link = await linkTo('CP-5');
    await using window = await open(phone);
    const { page, errors } = window;
    await page.addInitScript(`
      delete HTMLElement.prototype.attachInternals;
      delete ShadowRoot.prototype.adoptedStyleSheets;
      delete globalThis.CSSStyleSheet;
    `);
    await page.route(link, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('shadowrootmode', 'unknown');
      await route.fulfill({ response, body });
    });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Received', level: 1 }).waitFor();
    const list = `${element}.shadowRoot.querySelector('ol')`;
    expect(await page.evaluate(`getComputedStyle(${list}).listStyleType`)).toBe('none');
    expect(errors).toEqual([]);
  });

  it("shows an error in the customer's language if the link is invalid", async () => {
    await using window = await open({ locale: 'de-AT' });
    await window.page.goto(`${service.ready.api}/track/nothing`);
    const { page } = window;
    await see(page, 'Der Link ist unvollständig oder nicht mehr gültig.');
    expect(await page.locator('html').getAttribute('lang')).toBe('de-AT');
    await expectAccessible(page);
  });
});

describe('<milepost-status> on the page of a shop', () => {
  it('shows the status in the language of the shop and updates it, under a strict content security policy', async () => {
    await reach('SHOP-1', 'received');
    const link = await linkTo('SHOP-1');
    await using window = await open(phone);
    const { page, errors } = window;
    const referrers: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(link)) referrers.push(request.headers()['referer']);
    });
    await page.goto(inShop(link));
    await page.getByRole('heading', { name: 'Received', level: 2 }).waitFor();
    await reach('SHOP-1', 'verified');
    await page.getByRole('heading', { name: 'Verified', level: 2 }).waitFor();
    await expectAccessible(page);
    await expectNoHorizontalScrolling(page);
    expect(new Set(referrers)).toEqual(new Set(['']));
    expect(await page.title()).toBe('The shop');
    expect(errors).toEqual([]);
  });

  it('supports the attributes `lang` and `heading-level`', async () => {
    await reach('SHOP-2', 'received');
    await using window = await open();
    await window.page.goto(inShop(await linkTo('SHOP-2'), 'lang="ar" heading-level="3"'));
    const heading = window.page.getByRole('heading', { name: 'تم الاستلام', level: 3 });
    await heading.waitFor();
    expect(
      await window.page.evaluate(
        `getComputedStyle(${element}.shadowRoot.querySelector('h3')).direction`,
      ),
    ).toBe('rtl');
    await window.page.evaluate(`${element}.lang = 'de'`);
    await window.page.getByRole('heading', { name: 'Eingegangen', level: 3 }).waitFor();
    for (const [value, level] of [
      ['4.5', 4],
      ['9', 6],
      ['none', 2],
    ] as const) {
      await window.page.evaluate(`${element}.setAttribute('heading-level', '${value}')`);
      await window.page.getByRole('heading', { name: 'Eingegangen', level }).waitFor();
    }
  });

  it('shows the progress in forced colors and in print', async () => {
    await reach('SHOP-13', 'received');
    await using window = await open();
    const { page } = window;
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(inShop(await linkTo('SHOP-13')));
    const progress = page.getByRole('progressbar', { name: 'Progress' });
    const some = await progress.screenshot();
    const bar = `${element}.shadowRoot.querySelector('progress')`;
    await page.evaluate(`${bar}.value = 100`);
    expect((await progress.screenshot()).equals(some)).toBe(false);
    expect(await page.evaluate(`getComputedStyle(${bar}).printColorAdjust`)).toBe('exact');
  });

  it('shows the milestones next to their marks on a page that centers its text', async () => {
    await reach('SHOP-14', 'received');
    await using window = await open();
    const { page } = window;
    await page.goto(inShop(await linkTo('SHOP-14')));
    await page.evaluate("document.body.style.textAlign = 'center'");
    const item = page.getByRole('listitem').filter({ hasText: 'Scheduled' });
    const [row, label] = [await item.boundingBox(), await item.locator('bdi').boundingBox()];
    expect(label!.x - row!.x).toBeLessThan(50);
  });

  it('is readable on a light page if the system uses dark mode', async () => {
    await reach('SHOP-3', 'received');
    await using window = await open({ colorScheme: 'dark' });
    await window.page.goto(inShop(await linkTo('SHOP-3')));
    await see(window.page, 'Received');
    await expectAccessible(window.page, ['color-contrast']);
    expect(await window.page.evaluate(`getComputedStyle(${element}).color`)).toBe(
      'rgb(28, 36, 48)',
    );
  });

  it('shows its child elements until the status is loaded', async () => {
    await reach('SHOP-4', 'received');
    const link = await linkTo('SHOP-4');
    await using window = await open();
    const { page } = window;
    const release = Promise.withResolvers<void>();
    await page.route(`${link}*`, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(inShop(link));
    await see(page, 'We are on it.');
    release.resolve();
    await see(page, 'Received');
    expect(await page.getByText('We are on it.').isVisible()).toBe(false);
  });

  it('shows its child elements instead of another status while `src` changes, and while `src` is empty', async () => {
    await reach('SHOP-11', 'received');
    await reach('SHOP-12', 'verified');
    const [first, second] = [await linkTo('SHOP-11'), await linkTo('SHOP-12')];
    await using window = await open();
    const { page } = window;
    const release = Promise.withResolvers<void>();
    await page.route(`${second}*`, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(inShop(first));
    await see(page, 'No. SHOP-11');
    await page.evaluate(`${element}.shadowRoot.querySelector('[role="status"]').isKept = true`);
    await page.evaluate(`${element}.setAttribute('src', '${second}')`);
    await see(page, 'We are on it.');
    expect(await page.getByText('SHOP-11').count()).toBe(0);
    release.resolve();
    await see(page, 'No. SHOP-12');
    // A screen reader announces the new status only in the same live region.
    expect(
      await page.evaluate(`${element}.shadowRoot.querySelector('[role="status"]').isKept`),
    ).toBe(true);
    let requests = 0;
    page.on('request', () => requests++);
    for (const change of ["setAttribute('src', '')", "removeAttribute('src')"]) {
      await page.evaluate(`${element}.${change}`);
      await see(page, 'We are on it.');
      expect(await page.getByText('SHOP-12').count()).toBe(0);
    }
    await page.evaluate(`(() => {
      const moved = ${element};
      moved.setAttribute('src', '${first}');
      moved.remove();
      moved.setAttribute('src', '${second}');
      document.querySelector('main').append(moved);
    })()`);
    expect(await page.getByText('SHOP-11').count()).toBe(0);
    await see(page, 'No. SHOP-12');
    expect(requests).toBe(2);
  });

  it('keeps the status and retries if the service cannot be reached', async () => {
    await reach('SHOP-5', 'received');
    const link = await linkTo('SHOP-5');
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    await page.goto(inShop(link));
    await see(page, 'Received');
    let attempts = 0;
    await page.route(`${link}*`, (route) => {
      attempts++;
      return route.abort();
    });
    await page.clock.runFor(5_000);
    const problem = page.getByRole('status').filter({ hasText: 'Can’t update right now.' });
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/ This status was loaded today at \d\d:\d\d; /);
    await see(page, 'Received');
    expect(attempts).toBe(1);
    await page.clock.runFor(4_999);
    expect(attempts).toBe(1);
    await page.unroute(`${link}*`);
    await page.clock.runFor(5_001);
    await page.getByText('Can’t update right now.').waitFor({ state: 'detached' });
  });

  it('updates every 30 seconds instead of every five if the status has not changed for a minute', async () => {
    await reach('SHOP-10', 'received');
    const link = await linkTo('SHOP-10');
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    await page.goto(inShop(link));
    await see(page, 'Received');
    const updated = () => page.waitForResponse((response) => response.url().startsWith(link));
    for (let elapsed = 0; elapsed < 60; elapsed += 5) {
      const update = updated();
      await page.clock.runFor(5_000);
      await (await update).finished();
    }
    let requests = 0;
    page.on('request', () => requests++);
    await page.clock.runFor(29_000);
    expect(requests).toBe(0);
    const update = updated();
    await page.clock.runFor(1_000);
    await update;
  });

  it('shows an error until the first status is loaded if the service is unavailable', async () => {
    await reach('SHOP-6', 'received');
    const link = await linkTo('SHOP-6');
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    await page.route(`${link}*`, (route) => route.fulfill({ status: 503 }));
    await page.goto(inShop(link));
    await see(page, 'The status can’t be loaded right now.');
    await page.unroute(`${link}*`);
    await page.clock.runFor(10_000);
    await see(page, 'Received');
    expect(await page.getByText('can’t be loaded').count()).toBe(0);
  });

  it('distinguishes an expired link from a link that does not exist, and stops sending requests', async () => {
    await reach('SHOP-7', 'received');
    const expired = await linkTo('SHOP-7', 'PT1S');
    const exp = Number(
      JSON.parse(Buffer.from(new URL(expired).pathname.split('.')[1]!, 'base64url').toString()).exp,
    );
    await expect.poll(() => Date.now(), { timeout: 5_000 }).toBeGreaterThan(exp * 1000);
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().startsWith(expired)) requests++;
    });
    await page.goto(inShop(expired));
    await see(page, 'This link has expired.');
    await page.clock.runFor(hour);
    expect(requests).toBe(1);
    const unknown = `${service.ready.api}/track/nothing`;
    await page.evaluate(`${element}.setAttribute('src', '${unknown}')`);
    await see(page, 'The link is incomplete or no longer valid.');
  });

  it('stops showing the status after the link is revoked', async () => {
    await reach('SHOP-8', 'received');
    await using window = await open();
    await window.page.goto(inShop(await linkTo('SHOP-8')));
    await see(window.page, 'Received');
    await service.ask(`${instancePath('service-request', 'SHOP-8')}/links`, { method: 'DELETE' });
    await see(window.page, 'This status is not available.');
    expect(await window.page.getByText('Received').count()).toBe(0);
  });

  it('stops sending requests after it shows the final status', async () => {
    for (const each of ['received', 'verified', 'scheduled', 'fulfilled', 'closed'])
      await reach('SHOP-9', each);
    const link = await linkTo('SHOP-9');
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().startsWith(link)) requests++;
    });
    await page.goto(inShop(link));
    await see(page, 'This is the final status.');
    await page.clock.runFor(hour);
    expect(requests).toBe(1);
  });

  it('keeps the words for days correct after it shows the final status', async () => {
    for (const each of ['received', 'verified', 'scheduled', 'fulfilled', 'closed'])
      await reach('SHOP-13', each);
    const link = await linkTo('SHOP-13');
    await using window = await open();
    const { page } = window;
    await page.clock.install();
    await page.goto(inShop(link));
    const note = page.locator('[part="note"]');
    const isUpdated = (day: string) => note.filter({ hasText: `Updated ${day}` }).waitFor();
    await isUpdated('today at');
    let requests = 0;
    page.on('request', () => requests++);
    await page.clock.runFor(24 * hour);
    await isUpdated('yesterday at');
    await page.clock.runFor(24 * hour);
    await isUpdated('on ');
    expect(requests).toBe(0);
  });
});
