import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/aws-local/server/listen.ts';
import { placed } from '../support/data/events.ts';
import { MemoryApi } from '../support/service/memory-api.ts';
import {
  expectAccessible,
  expectNoHorizontalScrolling,
  findBrowser,
  startBrowser,
} from './browser.ts';
import { deployedPages } from './deployed-pages.ts';
import { Issuer, type User } from './issuer.ts';
import { Visitor } from './visitor.ts';

const viewer: User = { sub: 'u-1', email: 'vera@example.org', groups: ['viewer'] };
const operator: User = { sub: 'u-2', email: 'olaf@example.org', groups: ['operator'] };
const stranger: User = { sub: 'u-3', email: 'sam@example.org', groups: ['sales'] };

let browser: Browser;
let issuer: Issuer;
let pages: RunningServer;
let context: BrowserContext;
const violations: string[] = [];

const openWindow = () => Visitor.openWindow(context, pages.url, violations);

/** Opens a page and logs in. */
async function logIn(user: User, path: string): Promise<Visitor> {
  issuer.user = user;
  const visitor = await openWindow();
  await visitor.open(path);
  await visitor.button('Log in').click();
  await visitor.see(user.email);
  return visitor;
}

describe('the pages of a service with a login', () => {
  beforeAll(async () => {
    const path = findBrowser();
    if (path === undefined)
      throw new Error('chromium, chromium-browser, or google-chrome must be on the PATH');
    const api = new MemoryApi();
    await api.apply(placed(1));
    await api.deadLetters.put([
      {
        id: '000000001-0123456789abcdef',
        reason: 'no such model',
        at: '2026-01-02T03:04:05.000Z',
        modelId: null,
        transactionId: null,
        eventId: null,
        partitionKey: 'T1',
        parked: null,
        raw: Buffer.from('{}'),
      },
    ]);
    [browser, issuer] = await Promise.all([startBrowser(path), Issuer.start()]);
    pages = await deployedPages(issuer, api);
    issuer.redirectUris.push(`${pages.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.[Symbol.asyncDispose]();
    await issuer?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    issuer.givesRefreshTokens = false;
    context = await browser.newContext({ locale: 'en-GB' });
  });
  afterEach(() => context.close());

  it('show no data before the login, and the requested page after the login', async () => {
    issuer.user = viewer;
    await using visitor = await openWindow();
    const { page } = visitor;
    await visitor.open('/instances?model=counter');
    await visitor.heading('Log in').waitFor();
    expect(await page.title()).toBe('Log in · Milepost');
    expect(await visitor.rows.count()).toBe(0);
    await expectAccessible(page);
    await visitor.button('Log in').click();
    await visitor.seeRows(1);
    expect(page.url()).toBe(`${pages.url}/instances?model=counter`);
    await visitor.see('vera@example.org viewer');
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoHorizontalScrolling(page);

    await page.reload();
    await visitor.seeRows(1);
    await visitor.link('T1').click();
    await visitor.heading('T1').waitFor();
    await page.reload();
    await visitor.heading('T1').waitFor();
  });

  it('require a new login after the token expires, and return to the same page', async () => {
    await using visitor = await logIn(operator, '/instances');
    await visitor.seeRows(1);
    issuer.endTokens();
    await visitor.see('Your session has expired.');
    expect(await visitor.rows.count()).toBe(0);
    await visitor.button('Log in').click();
    await visitor.seeRows(1);
    expect(visitor.page.url()).toBe(`${pages.url}/instances`);
  });

  it('continue without interruption if the issuer renews the token', async () => {
    issuer.givesRefreshTokens = true;
    await using visitor = await logIn(operator, '/instances');
    await visitor.seeRows(1);
    const before = issuer.grants.length;
    const refreshed = visitor.page.waitForResponse(`${issuer.url}/token`);
    issuer.endTokens();
    await refreshed;
    await visitor.page.waitForResponse(
      (response) => response.url().includes('/api/instances') && response.ok(),
    );
    expect(issuer.grants.slice(before)).toEqual(['refresh_token']);
    await visitor.seeRows(1);
  });

  it('disable actions for a viewer and explain the reason', async () => {
    await using visitor = await logIn(viewer, '/dead-letters');
    const redrive = visitor.button('Redrive (requires the operator role)');
    await redrive.waitFor();
    expect(await redrive.isDisabled()).toBe(true);
    const remove = visitor.button('Delete (requires the operator role)');
    expect(await remove.isDisabled()).toBe(true);
    await expectAccessible(visitor.page);
  });

  it('allow actions for an operator', async () => {
    await using visitor = await logIn(operator, '/dead-letters');
    await visitor.see('olaf@example.org operator');
    await visitor.button('Delete').click();
    await visitor.dialog.getByRole('button', { name: 'Delete' }).click();
    await visitor.heading('No dead letters').waitFor();
    expect(await visitor.page.locator('.letter').count()).toBe(0);
  });

  it('show no data to a user without a role', async () => {
    await using visitor = await logIn(stranger, '/instances');
    await visitor.heading('Access denied').waitFor();
    await visitor.see('This request requires the viewer role.');
    await visitor.see('sam@example.org no role');
    expect(await visitor.rows.count()).toBe(0);
  });

  it('show an error if the issuer denies access', async () => {
    issuer.user = undefined;
    await using visitor = await openWindow();
    await visitor.open('/models');
    await visitor.button('Log in').click();
    await visitor.see('Login failed: Access denied by policy.');
    expect(await visitor.focused('id')).toBe('main');
    expect(visitor.page.url()).toBe(`${pages.url}/models`);
  });

  it('end the session on logout', async () => {
    await using visitor = await logIn(viewer, '/instances');
    await visitor.seeRows(1);
    const left = visitor.page.waitForRequest(`${issuer.url}/logout*`);
    await visitor.button('Log out').click();
    await left;
    await visitor.heading('Log in').waitFor();
    expect(visitor.page.url()).toBe(`${pages.url}/`);
    await visitor.open('/instances');
    await visitor.heading('Log in').waitFor();
    expect(await visitor.page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('hide the data immediately on logout, even if the issuer does not respond', async () => {
    await using visitor = await logIn(viewer, '/instances');
    await visitor.seeRows(1);
    await visitor.page.reload();
    await visitor.seeRows(1);
    issuer.responds = false;
    await visitor.button('Log out').click();
    await visitor.see('Logging out…');
    expect(await visitor.rows.count()).toBe(0);
    expect(await visitor.button('Log in').isDisabled()).toBe(true);
    issuer.responds = true;
  });

  it('reload a page that the browser kept, because its login may have ended', async () => {
    await using visitor = await logIn(viewer, '/instances');
    await visitor.seeRows(1);
    await visitor.page.evaluate('sessionStorage.clear()');
    await visitor.page.evaluate(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    );
    await visitor.heading('Log in').waitFor();
    expect(await visitor.rows.count()).toBe(0);
  });

  it('shorten a long name, and show it as a tooltip', async () => {
    const email = `${'long'.repeat(30)}@example.org`;
    await using visitor = await logIn({ ...viewer, email }, '/instances');
    await visitor.seeRows(1);
    expect(await visitor.page.getByTitle(email).count()).toBe(1);
    for (const width of [1280, 390, 320]) {
      await visitor.page.setViewportSize({ width, height: 740 });
      await expectNoHorizontalScrolling(visitor.page);
      const { height } = (await visitor.page.locator('.who').boundingBox())!;
      expect(height).toBeLessThan(60);
    }
  });

  it('reject a redirect that does not belong to a login of the same window', async () => {
    await using visitor = await openWindow();
    await visitor.open('/?code=stolen&state=made-up');
    await visitor.see('Login failed: this window did not start a login');
    await using other = await logIn(viewer, '/instances');
    await other.open('/?code=stolen&state=made-up');
    // The existing session stays valid.
    await other.see('vera@example.org');
    expect(other.page.url()).toBe(`${pages.url}/`);
  });

  it('return 404 at unknown addresses', async () => {
    for (const path of ['/nowhere', '/index.html', '/login'])
      expect((await fetch(pages.url + path)).status).toBe(404);
  });

  it('cause no errors in the console and send requests only to the service and the issuer', () => {
    expect(violations.filter((each) => !each.startsWith(`loads ${issuer.url}/`))).toEqual([]);
  });
});
