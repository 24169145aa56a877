import { describe, expect, it } from 'vitest';
import { reached } from '../../support/models/milestone-event.ts';
import { instancePath } from '../../support/service/service.ts';
import { expectAccessible, expectNoHorizontalScrolling, watchShifts } from '../browser.ts';
import { event, milestone, operatorPages } from './operator-pages.ts';

const pages = operatorPages();

interface ModelSteps {
  readonly steps: {
    readonly milestones: readonly { readonly to: string; readonly count: number }[];
  };
}

describe('the operator pages', () => {
  it('show a hint if there is no data', async () => {
    await using visitor = await pages.openWindow();
    await visitor.open('/');
    await visitor.heading('No instances yet').waitFor();
    await visitor.see('npx milepost put activation ATV-123 account.created');
    await visitor.navigate('/instances');
    await visitor.heading('No instances yet').waitFor();
    await visitor.navigate('/dead-letters');
    await visitor.heading('No dead letters').waitFor();
    expect(await visitor.page.title()).toBe('Dead letters · Milepost');
    await visitor.navigate('/nowhere');
    await visitor.see('There is no page at this address');
    // The end of an address can get lost, for example in a chat.
    await visitor.open('/instances/activation/caf%C3');
    await visitor.see('There is no page at this address');
    await visitor.link('search for an instance').click();
    await visitor.heading('No instances yet').waitFor();
  });

  describe.concurrent('for an operator', () => {
    it('are accessible in both themes and at all widths, without layout shifts', async () => {
      await pages.putRecord(milestone('Axe/1', 'received'));
      await pages.putBytes('no JSON');
      await pages.putBytes('no JSON either');
      await pages.service.eventually<{ deadLetters: unknown[] }>(
        '/api/dead-letters',
        ({ deadLetters }) => deadLetters.length > 1,
      );
      // Use a separate window whose size does not change, because a slow browser counts size changes as layout shifts.
      await using watched = await pages.openWindow();
      const shifts = await watchShifts(watched.page);
      await watched.page.setViewportSize({ width: 1280, height: 800 });
      await watched.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await Promise.all([watched.open('/models'), visitor.open('/models')]);
      for (const [to, sign] of [
        ['/', '.tile'],
        ['/instances', '.instances'],
        ['/instances/service-request/Axe%2F1?step=1', '.diagram svg'],
        ['/dead-letters', '.group'],
        ['/models', '.card'],
        ['/models/activation', '.diagram svg'],
      ] as const) {
        const before = await shifts();
        await watched.navigate(to);
        await watched.page.locator(sign).first().waitFor();
        expect((await shifts()) - before).toBeLessThan(0.05);
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await visitor.navigate(to);
        await page.locator(sign).first().waitFor();
        await expectAccessible(page);
        const light = await background();
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await background()).not.toBe(light);
        await page.setViewportSize({ width: 320, height: 740 });
        await expectNoHorizontalScrolling(page);
        await expectAccessible(page, ['color-contrast', 'target-size']);
      }
    });

    it('keep their content and show a banner if the service cannot be reached', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await pages.service.post(milestone('SR-1', 'received'));
      await visitor.open('/instances?q=SR-1');
      await visitor.seeRows(1);
      await page.route('**/api/**', (route) => route.abort());
      await visitor.see(/Cannot reach the service/);
      await visitor.seeRows(1);
      await expectAccessible(page, ['color-contrast']);
      await page.unroute('**/api/**');
      await page.locator('.banner').waitFor({ state: 'detached' });

      await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: '' }));
      await visitor.see(/^Cannot update this page: The service is busy\./);
      await visitor.seeRows(1);
      await page.unroute('**/api/**');
      await page.locator('.banner').waitFor({ state: 'detached' });

      // A network that requires a login responds with its own page.
      const login = { contentType: 'text/html', body: '<h1>Log in</h1>' };
      await page.route('**/api/**', (route) => route.fulfill(login));
      await visitor.see(/Cannot reach the service/);
      // The banner says that the page shows the last known state, but this page has none.
      await visitor.navigate('/models/service-request');
      await visitor.heading('Something went wrong').waitFor();
      await visitor.see('Cannot reach the service. This page keeps retrying.');
      expect(await page.locator('.banner').isVisible()).toBe(false);
      await page.unroute('**/api/**');
      await page.locator('.banner').waitFor({ state: 'detached' });

      const letters = '**/api/dead-letters*';
      await page.route(letters, (route) => route.fulfill({ status: 500, body: 'oh' }));
      await visitor.link('Dead letters').click();
      await visitor.see('The service responded with status 500.');
      await page.unroute(letters);
      await visitor.button('Try again').click();
      await page.locator('.pager').waitFor();
      expect(await visitor.button('Try again').count()).toBe(0);
    });
  });

  it('show an error if the code of a page cannot be loaded', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await visitor.open('/');
    await page.locator('.tile').first().waitFor();
    await page.route('**/assets/models-*', (route) => route.abort());
    await visitor.link('Models').click();
    await visitor.see('Cannot load the code of this page.');
    await page.unroute('**/assets/models-*');
    await visitor.button('Try again').click();
    await visitor.heading('Models').waitFor();
    expect(await visitor.button('Try again').count()).toBe(0);
  });

  it('load automatically after the service becomes reachable again', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await visitor.open('/dead-letters');
    await page.route('**/api/**', (route) => route.abort());
    await visitor.navigate('/models/service-request');
    await visitor.heading('Something went wrong').waitFor();
    await page.unroute('**/api/**');
    await visitor.heading('Customer service request').waitFor();
    await page.locator('.banner').waitFor({ state: 'detached' });
    expect(await visitor.heading('Something went wrong').count()).toBe(0);
  });

  it('are printed on a white background, without controls', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(event('activation', 'Print-1', 'print-1-a', 'account.created'));
    await pages.service.eventually(instancePath('activation', 'Print-1'), () => true);
    await visitor.open('/instances/activation/Print-1');
    await visitor.heading('Print-1').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await visitor.button(/account\.created/).waitFor();
    await page.locator('.diagram').waitFor();
    expect(await visitor.button('Show').isVisible()).toBe(false);
    expect(await visitor.link('Dead letters').isVisible()).toBe(false);
    const ground = 'getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)');
  });

  it('mark what is current or selected and show bars in forced colors', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(milestone('Forced-1', 'received'), milestone('Forced-1', 'verified'));
    await pages.service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Forced',
      ({ instances }) => instances.length === 1,
    );
    await page.emulateMedia({ forcedColors: 'active' });
    await visitor.open('/instances/service-request/Forced-1');
    await page.locator('.bar').first().waitFor();
    const style = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    const ground = await style('body', 'backgroundColor');
    expect(await style('nav [href="/models"]', 'borderBottomColor')).toBe(ground);
    expect(await style('nav [aria-current]', 'borderBottomColor')).not.toBe(ground);
    for (const bar of ['.bar', 'progress'])
      expect(await style(bar, 'backgroundColor')).not.toBe(ground);
    await page.locator('.event').nth(1).waitFor();
    expect(await style('.event[aria-pressed=false]', 'borderTopColor')).toBe(ground);
    expect(await style('.event[aria-pressed=true]', 'borderTopColor')).not.toBe(ground);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('Forced-1');
    const option = '[role=option][aria-selected=true]';
    await page.locator(option).waitFor();
    expect(await style(option, 'outlineStyle')).toBe('solid');
  });

  it('can be searched with the keyboard, and suggest recently opened results', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    // Results are sorted by their latest change.
    for (const number of [1, 2]) {
      await pages.service.post(
        event('activation', `Find-${number}`, `find-${number}-a`, 'account.created'),
      );
      await pages.service.eventually<{ instances: unknown[] }>(
        '/api/instances?q=Find',
        ({ instances }) => instances.length === number,
      );
    }
    await visitor.open('/models');
    await visitor.heading('Models').waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    await page.keyboard.type('Find-');
    const chosen = page.locator('[role=option][aria-selected=true]');
    await chosen.filter({ hasText: 'Find-2' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await chosen.filter({ hasText: 'Find-1' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await visitor.heading('Find-1').waitFor();

    await page.keyboard.press('Control+k');
    await chosen.filter({ hasText: 'Find-1' }).waitFor();
    await field.fill('find-2-a');
    await page.getByText('Nothing found. Ids and business keys are case-sensitive.').waitFor();
    await visitor.button(/^Search all histories/).click();
    await chosen.filter({ hasText: 'account.created of Find-2, version 1' }).waitFor();
    await page.keyboard.press('Enter');
    await visitor.heading('Find-2').waitFor();
    expect(visitor.query).toEqual({ version: '1' });

    await visitor.button('Search').click();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Search /');

    // A user who opens the search with the keyboard returns to the same place.
    await visitor.link('Overview').focus();
    await page.keyboard.press('/');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await visitor.focused('textContent')).toBe('Overview');
  });

  it('open the first result for the whole typed text, even if the user presses Enter before the result arrives', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    for (const number of [1, 2]) {
      await pages.service.post(
        event('activation', `Quick-${number}`, `quick-${number}-a`, 'account.created'),
      );
      await pages.service.eventually<{ instances: unknown[] }>(
        '/api/instances?q=Quick',
        ({ instances }) => instances.length === number,
      );
    }
    await visitor.open('/models');
    await visitor.heading('Models').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('Quick-');
    const chosen = page.locator('[role=option][aria-selected=true]');
    await chosen.filter({ hasText: 'Quick-2' }).waitFor();
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/instances\//);
    expect(new URL(page.url()).pathname).toBe('/instances/activation/Quick-1');
  });

  it('show that a slow search is in progress', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/search?*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await visitor.open('/models');
    await visitor.heading('Models').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('Nowhere');
    const searching = page.getByText('Searching…');
    await searching.waitFor();
    expect(await page.getByText('Nothing found.').count()).toBe(0);
    release();
    await searching.waitFor({ state: 'detached' });
    await visitor.see(/^Nothing found\./);
  });

  it('offer a link to the whole list if the address has an invalid cursor', async () => {
    await using visitor = await pages.openWindow();
    for (const [link, out] of [
      ['/instances?cursor=x', 'Show all instances'],
      ['/dead-letters?cursor=x', 'Show the newest dead letters'],
    ] as const) {
      await visitor.open(link);
      await visitor.heading('Invalid address').waitFor();
      await visitor.link(out).click();
      await visitor.heading('Invalid address').waitFor({ state: 'detached' });
      expect(visitor.query).toEqual({});
    }
  });

  it('show event rates, step durations, and estimates', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const hour = 3_600_000;
    const start = Date.now() - 100 * hour;
    const names = ['received', 'verified', 'scheduled', 'fulfilled', 'closed'];
    const finished = Array.from({ length: 20 }, (_, n) =>
      names.map((name, index) => reached(`SR-done-${n}`, name, start + 10 * hour * index)),
    );
    await pages.service.post(...finished.flat());
    await pages.service.post(reached('SR-open', 'received', Date.now() - hour));
    await pages.service.eventually<ModelSteps>('/api/models/service-request', ({ steps }) =>
      steps.milestones.some(({ to, count }) => to === 'verified' && count === 20),
    );
    await visitor.open('/instances/service-request/SR-open');
    await page.locator('li', { hasText: /Verified.*likely in [89] h/ }).waitFor();
    const row = page.getByRole('row', { name: /Received → Verified/ });
    // Each environment of the API caches the durations for five seconds, and the page loads them once.
    await expect
      .poll(
        async () => {
          await visitor.open('/models/service-request');
          await visitor.heading('Durations').waitFor();
          return row.allInnerTexts();
        },
        { timeout: 15_000 },
      )
      .toEqual([expect.stringMatching(/(9|10) h\s+(9|10) h/)]);
    expect(await row.locator('.distribution path').count()).toBe(25);
    // On a phone, the words in the table stay whole.
    await page.setViewportSize({ width: 390, height: 844 });
    const lines = await page.evaluate(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.durations tbody bdi'));
      return [range.toString(), range.getClientRects().length];
    })()`);
    expect(lines).toEqual(['Received', 1]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await visitor.open('/');
    const card = page.locator('.card', { hasText: 'Customer service request' });
    await card.getByText(/\d+ in the last hour/).waitFor();
    // Only minutes with events have a bar. The events were sent within this test.
    const bars = await card.locator('.rate path').count();
    expect(bars).toBeGreaterThan(0);
    expect(bars).toBeLessThan(60);
  });

  it('do not scroll horizontally, even if a status is long', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    for (const status of ['s'.repeat(200), 'long status '.repeat(17).slice(0, 200)]) {
      await page.route('**/api/**', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll('"Received"', JSON.stringify(status));
        await route.fulfill({ response, body });
      });
      for (const path of [
        '/',
        '/instances?model=service-request',
        '/instances/service-request/SR-open',
        '/models',
        '/models/service-request',
      ]) {
        await visitor.open(path);
        await page.locator('#main').getByText(status.trim()).first().waitFor({ state: 'attached' });
        // A width of 1280 pixels, the width of a phone, and a width of 1280 pixels at a zoom of 400%.
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          await expectNoHorizontalScrolling(page);
        }
      }
      // The diagram shortens the status, and its tooltip contains the whole status.
      const node = page.locator('.diagram .node', { has: page.locator('title') });
      expect(await node.locator('title').textContent()).toBe(status.trim());
      expect(await node.locator('text').textContent()).toHaveLength(34);
      await page.locator('.durations tbody').getByText(status.trim()).first().waitFor();
      await expectNoHorizontalScrolling(page);
      expect(await page.locator('.durations table').count()).toBe(2);
      // The pages poll, so a request may still be in its handler.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  });
});
