import { describe, expect, it } from 'vitest';
import type { HistoryPage, LinkPage } from '../../../web/api/types.ts';
import { reached } from '../../support/models/milestone-event.ts';
import { modelRegistry, type ShownModel } from '../../support/models/register-models.ts';
import { instancePath } from '../../support/service/service.ts';
import { eventually, expectAccessible, expectNoHorizontalScrolling, isInView } from '../browser.ts';
import { event, milestone, operatorPages } from './operator-pages.ts';

const pages = operatorPages();

describe('the operator pages', () => {
  describe.concurrent('for an operator', () => {
    it('show each step of an instance as soon as the event is applied', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await visitor.open('/instances/service-request/A%2FB%20%C3%A9');
      await visitor.see('There is no instance service-request/A/B é.');
      await pages.putRecord(milestone('A/B é', 'received'));
      await page.locator('.status', { hasText: 'Received' }).waitFor();
      expect(await page.title()).toBe('A/B é · Milepost');
      await page.locator('.diagram .node.present', { hasText: 'Received' }).waitFor();
      await page.locator('.timeline .reached', { hasText: 'Received' }).waitFor();
      await page.locator('.timeline .current', { hasText: /Verified.*expected in 24 h/ }).waitFor();
      await page.locator('.timers', { hasText: /late\/verified\s*23:59:\d\d/ }).waitFor();
      const time = page.locator('.summary time').first();
      expect(await time.getAttribute('datetime')).toMatch(/^\d{4}-.*Z$/);
      expect(await time.getAttribute('title')).toMatch(/\d\d:\d\d:\d\d (?:CET|CEST|GMT)/);

      await pages.putRecord(milestone('A/B é', 'verified'));
      await pages.putRecord(milestone('A/B é', 'nonsense'));
      await page.locator('.diagram .node.present', { hasText: 'Verified' }).waitFor();
      await page.locator('.diagram .edge.taken').nth(1).waitFor();
      await visitor.button(/^3 milestone\.reached\s*rejected.* Verified/).waitFor();

      await visitor.heading('Step 3 of 3 (now)').waitFor();
      await visitor.see('No changes to the state.');
      await visitor.button(/Earlier/).click();
      await visitor.heading('Step 2 of 3').waitFor();
      expect(visitor.query.step).toBe('2');
      await page.locator('.changes .added', { hasText: 'reached.verified' }).waitFor();
      await page.locator('.row.marked', { hasText: '"verified": "20' }).waitFor();
      await visitor.button(/^1 Received/).click();
      await visitor.heading('Step 1 of 3').waitFor();
      expect(await visitor.button(/^1 Received/).getAttribute('aria-pressed')).toBe('true');
      await visitor.button(/Later/).click();
      await visitor.heading('Step 2 of 3').waitFor();
      await page.reload();
      await visitor.heading('Step 2 of 3').waitFor();
      await visitor.button('Now').click();
      await visitor.heading('Step 3 of 3 (now)').waitFor();
      expect(visitor.query).toEqual({});
    });

    it('show past states and explain fields', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const at = '/instances/service-request/Past';
      for (const [index, name] of ['received', 'verified', 'scheduled'].entries()) {
        await pages.putRecord(milestone('Past', name));
        await pages.service.eventually<{ version: number }>(
          `/api${at}`,
          ({ version }) => version === index + 1,
        );
      }
      await visitor.open(at);
      await page.locator('.status', { hasText: 'Scheduled' }).waitFor();
      expect(await page.locator('.past').count()).toBe(0);
      await visitor.link('← Earlier version').click();
      await visitor.see('after version 2 of 3');
      expect(visitor.query).toEqual({ version: '2' });
      await page.locator('.status', { hasText: 'Verified' }).waitFor();
      await page.locator('.node.present', { hasText: 'Verified' }).waitFor();
      await page.locator('.timeline .current', { hasText: 'Scheduled' }).waitFor();
      await visitor.heading('Step 2 of 3').waitFor();

      // The address contains the selected history entry, so it can be shared.
      await visitor.button(/^1 Received/).click();
      await visitor.see('after version 1 of 3');
      await page.reload();
      await visitor.see('after version 1 of 3');
      await page.locator('.timeline .current', { hasText: 'Verified' }).waitFor();
      await visitor.link('Version 2 →').click();
      await visitor.see('after version 2 of 3');
      // The page shows the previous version, dimmed, until the selected version is loaded.
      await page.locator('.status', { hasText: 'Verified' }).waitFor();

      const asks = visitor.button('Explain this state');
      await asks.focus();
      await page.keyboard.press('Enter');
      expect(await asks.getAttribute('aria-pressed')).toBe('true');
      const first = visitor.button(/^set by step 1\b/).first();
      await first.waitFor();
      expect(await first.getAttribute('title')).toMatch(/^received from test, /);
      await page
        .locator('.by', { hasText: 'set by this step, milestone.reached' })
        .first()
        .waitFor();
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoHorizontalScrolling(page);
      await expectAccessible(page, ['color-contrast', 'target-size']);
      await first.focus();
      await page.keyboard.press('Enter');
      await visitor.see('after version 1 of 3');

      await visitor.link('Back to now').click();
      await page.locator('.status', { hasText: 'Scheduled' }).waitFor();
      expect(visitor.query).toEqual({});
      expect(await page.locator('.past').count()).toBe(0);
      await visitor.navigate(`${at}?version=9`);
      // An id that starts a message stays unchanged.
      await visitor.see(/^service-request\/Past has no version 9; it has versions 1 to 3\./);
    });

    it('show the current state of an instance with a long history', async () => {
      await using visitor = await pages.openWindow();
      const rejected = Array.from({ length: 210 }, (_, n) =>
        event('service-request', 'Long', `n${n}`, 'milestone.reached', { milestone: 'nonsense' }),
      );
      await pages.service.post(...rejected, milestone('Long', 'received'));
      await pages.service.eventually<{ status: string }>(
        instancePath('service-request', 'Long'),
        ({ status }) => status === 'Received',
      );
      await visitor.open('/instances/service-request/Long');
      await visitor.heading('Current state').waitFor();
      await visitor.page.locator('.step .row', { hasText: '"received": "20' }).waitFor();
      await visitor.heading('History 200+').waitFor();
      const latest = visitor.page.locator('.history .letter').first();
      await latest.locator('summary').click();
      await latest.getByText('"milestone": "received"').waitFor();
      await expectAccessible(visitor.page);
      await visitor.button('Load later events').click();
      await visitor.heading('Step 211 of 211 (now)').waitFor();
      expect(visitor.query).toEqual({});
    });

    it('load only the first 1,000 events of a longer history to show one version, unless the user asks for more', async ({
      expect,
    }) => {
      await using visitor = await pages.openWindow();
      const instance = instancePath('service-request', 'Endless');
      await pages.service.post(milestone('Endless', 'received'));
      const history = await pages.service.eventually<HistoryPage>(
        `${instance}/history`,
        ({ entries }) => entries.length > 0,
      );
      const entry = history.entries[0]!;
      let read = 0;
      await visitor.page.route('**/history?*', (route) => {
        const { searchParams } = new URL(route.request().url());
        if (searchParams.get('order') === 'newest') return route.continue();
        const from = Number(searchParams.get('cursor') ?? 0);
        read = from + 50;
        const entries = Array.from({ length: 50 }, (_, index) => ({
          ...entry,
          event: { ...entry.event, id: `e${from + index}` },
        }));
        return route.fulfill({ json: { entries, ...(read < 1_200 && { cursor: String(read) }) } });
      });
      await visitor.open('/instances/service-request/Endless?version=1');
      await visitor.heading('First 1,000 events').waitFor();
      expect(read).toBe(1_000);
      await visitor.button('Load later events').click();
      await visitor.heading('Step 1200 of 1200 (now)').waitFor();
    });

    it('escape characters of ids that are invisible or change the text direction', async ({
      expect,
    }) => {
      await using visitor = await pages.openWindow();
      const id = '\u202eevil\u202c P-1\u2028P-2\u200b';
      const shown = '\\u202eevil\\u202c P-1\\u2028P-2\\u200b';
      await pages.service.post(
        event('service-request', id, 'e\u202e', 'milestone.reached', { milestone: 'received' }),
      );
      await pages.service.eventually(instancePath('service-request', id), () => true);
      await visitor.open('/instances?model=service-request');
      await visitor.link(shown).click();
      await visitor.heading(shown).waitFor();
      await eventually(async () => expect(await visitor.page.title()).toBe(`${shown} · Milepost`));
      await visitor.page.locator('code bdi', { hasText: 'e\\u202e' }).waitFor();
    });

    it('show when imported events happened and were recorded, and show past states by either time', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const at = '/instances/service-request/Import';
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
      const imported = { verified: daysAgo(2), received: daysAgo(4) };
      for (const [name, time] of Object.entries(imported)) {
        await pages.putRecord({ ...milestone('Import', name), time });
        await pages.service.eventually<{ milestones: { id: string; at: string | null }[] }>(
          `/api${at}`,
          ({ milestones }) => milestones.some((each) => each.id === name && each.at === time),
        );
      }
      await visitor.open(at);
      const [since, started] = [
        page.locator('.summary time').nth(0),
        page.locator('.summary time').nth(1),
      ];
      await since.waitFor();
      expect(await since.getAttribute('datetime')).toBe(imported.verified);
      expect(await started.getAttribute('datetime')).toBe(imported.received);
      await page.locator('.event .tag', { hasText: 'recorded' }).nth(1).waitFor();

      const travel = page.getByRole('form', { name: 'Past state' });
      const threeDaysAgo = await page.evaluate(() => {
        const time = new Date(Date.now() - 3 * 86_400_000);
        return new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
          .toISOString()
          .slice(0, 19);
      });
      await travel.getByLabel('State at').fill(threeDaysAgo);
      await travel.getByLabel('By').selectOption('record time');
      await travel.getByRole('button', { name: 'Show' }).click();
      await visitor.see(/^service-request\/Import did not exist at that time: .*Z\.$/);
      await travel.getByLabel('State at').fill('20266-01-01T00:00');
      await travel.getByRole('button', { name: 'Show' }).click();
      expect(await travel.locator('input:invalid').count()).toBe(1);
      await travel.getByLabel('State at').fill(threeDaysAgo);
      await travel.getByLabel('By').selectOption('event time');
      await travel.getByRole('button', { name: 'Show' }).click();
      await visitor.see('after the events that happened by');
      await page.locator('.status', { hasText: 'Received' }).waitFor();
      await page.locator('.node.present', { hasText: 'Received' }).waitFor();
      expect(await page.locator('.timeline .reached').allInnerTexts()).toEqual([
        expect.stringContaining('Received'),
      ]);
      expect(Object.keys(visitor.query)).toEqual(['asOfEventTime']);
      await page.reload();
      await visitor.see('after the events that happened by');
      await page.locator('.status', { hasText: 'Received' }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1280, 390]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: 800 });
          await expectNoHorizontalScrolling(page);
          await expectAccessible(page);
        }
      await visitor.link('Back to now').click();
      await page.locator('.status', { hasText: 'Verified' }).waitFor();
      expect(visitor.query).toEqual({});
    });

    it('scroll to the current step of a long process in wide and narrow windows', async ({
      expect,
    }) => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const names = ['received', 'verified', 'scheduled', 'fulfilled'];
      await pages.service.post(...names.map((name) => milestone('Long-1', name)));
      for (const width of [1280, 390]) {
        // In a short window, the milestones and the diagram do not fit on the screen.
        await page.setViewportSize({ width, height: 260 });
        await visitor.open('/instances/service-request/Long-1');
        await eventually(async () =>
          expect(await isInView(page, '.timeline .current', '.long')).toBe(true),
        );
        await eventually(async () =>
          expect(await isInView(page, '.diagram .present', '.diagram')).toBe(true),
        );
      }
    });

    it('show the end of a long step beside a long history', async ({ expect }) => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const wrong = { milestone: 'nonsense', lines: Array.from({ length: 20 }, (_, n) => n) };
      await pages.service.post(
        milestone('Tall', 'received'),
        ...Array.from({ length: 40 }, (_, n) =>
          event('service-request', 'Tall', `n${n}`, 'milestone.reached', wrong),
        ),
      );
      await pages.service.eventually<HistoryPage>(
        `${instancePath('service-request', 'Tall')}/history?limit=100`,
        ({ entries }) => entries.length === 41,
      );
      await page.setViewportSize({ width: 1280, height: 600 });
      await visitor.open('/instances/service-request/Tall');
      await visitor.heading('Step 41 of 41 (now)').waitFor();
      // The parts above the steps are loaded separately and would move them.
      await visitor.heading('Deadlines').waitFor();
      await page.locator('.node.present').waitFor();
      await page.evaluate("document.querySelector('.travel').scrollIntoView()");
      const scrolled = () => page.evaluate<number>('scrollY');
      const before = await scrolled();
      const state = page.locator('.step').getByLabel('State after this step');
      await state.scrollIntoViewIfNeeded();
      const box = (await state.boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(600);
      expect(await scrolled()).toBe(before);
    });

    it('can redrive parked events', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const register = await modelRegistry(pages.service);
      const { body } = await pages.service.ask<ShownModel>('/api/models/activation');
      const claims = { ...body, id: 'claims', title: 'Claims' };
      await register({ ...claims, functionArn: `${body.functionArn}Gone` });
      await pages.service.post(
        event('claims', 'C-1', 'c1', 'account.created'),
        event('claims', 'C-1', 'c2', 'activation.requested', { service: 'NBC' }),
      );
      await pages.service.eventually<{ parked: number }>(
        instancePath('claims', 'C-1'),
        ({ parked }) => parked === 2,
      );
      await visitor.open('/instances?parked=true');
      await visitor.link('C-1').click();
      await visitor.heading('2 parked events').waitFor();
      await visitor.see('blocked: 2 events parked');
      // The reason for parking c2 depends on its batch. In the same batch as c1, the event c2 is queued after c1. In a
      // later batch, the reason is the missing function.
      const why = /c2 (an earlier event|Function not found)/;
      await page.locator('.parked li', { hasText: why }).waitFor();
      await page.locator('.parked li').first().getByText('c1 Function not found').waitFor();
      await expectAccessible(page, ['color-contrast']);
      await visitor.button('Redrive').click();
      await visitor.dialog.getByRole('button', { name: 'Cancel' }).click();
      await visitor.dialog.waitFor({ state: 'hidden' });
      await visitor.heading('2 parked events').waitFor();

      await register(claims);
      await visitor.button('Redrive').click();
      await visitor.dialog.getByRole('button', { name: 'Redrive' }).click();
      await visitor.see(/Redriving \d parked events?/);
      await page.locator('.status', { hasText: 'Waiting' }).waitFor();
      await page.locator('.parked').waitFor({ state: 'detached' });
      await page.locator('.event').nth(1).waitFor();
      expect(await page.locator('.event').allTextContents()).toEqual([
        expect.stringMatching(/^2activation.requested/),
        expect.stringMatching(/^1account.created/),
      ]);
    });

    it('can revoke customer links, individually or all together', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await pages.service.post(milestone('SR-links', 'received'));
      const instance = instancePath('service-request', 'SR-links');
      await pages.service.eventually(instance, () => true);
      const made: string[] = [];
      for (let n = 0; n < 3; n++) {
        const body = JSON.stringify({ model: 'service-request', transaction: 'SR-links' });
        const answer = await pages.service.ask<{ url: string }>('/api/links', {
          method: 'POST',
          body,
        });
        made.push(answer.body.url);
      }
      const statuses = () => Promise.all(made.map(async (url) => (await fetch(url)).status));
      expect(await statuses()).toEqual([200, 200, 200]);
      await visitor.open('/instances/service-request/SR-links');
      const rows = page.locator('.links tbody tr');
      await visitor.heading('Customer links').waitFor();
      expect(await rows.count()).toBe(3);
      await expectAccessible(page);
      await rows.last().getByRole('button', { name: 'Revoke' }).click();
      await visitor.dialog.getByRole('button', { name: 'Revoke' }).click();
      await visitor.see('Revoked the link.');
      await rows.nth(2).waitFor({ state: 'detached' });
      // The focused button was removed with its row.
      expect(await visitor.focused('id')).toBe('main');
      expect(await statuses()).toEqual([404, 200, 200]);
      await visitor.button('Revoke all').click();
      await visitor.dialog.getByRole('button', { name: 'Revoke all' }).click();
      await visitor.see('Revoked all links.');
      await visitor.see('There are no valid links.');
      expect(await statuses()).toEqual([404, 404, 404]);
    });

    it('can create a customer link, copy it, and open it', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await pages.service.post(milestone('SR-new-link', 'received'));
      const instance = instancePath('service-request', 'SR-new-link');
      await pages.service.eventually(instance, () => true);
      await visitor.open('/instances/service-request/SR-new-link');
      await visitor.button('Create link').click();
      await visitor.dialog.getByLabel('Valid for').selectOption('7 days');
      await expectAccessible(page);
      await visitor.dialog.getByRole('button', { name: 'Create link' }).click();
      await visitor.see('Created a link.');
      const created = page.getByRole('group', { name: 'New link' });
      await eventually(async () => expect(await visitor.focused('ariaLabel')).toBe('Link'));
      const [link] = (await pages.service.ask<LinkPage>(`${instance}/links`)).body.links;
      const days = (Date.parse(link!.expiresAt) - Date.parse(link!.createdAt)) / 86_400_000;
      expect(days).toBeCloseTo(7, 4);
      await created.getByRole('button', { name: 'Copy' }).click();
      await created.getByText('Copied.').waitFor();
      const url = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(await (await fetch(url)).text()).toContain('Received');
      expect(await created.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(url);
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
      await created.getByRole('button', { name: 'Copy' }).click();
      await created.getByText('Your browser does not allow the page to copy.').waitFor();
      expect(await page.evaluate('getSelection().toString()')).toBe(url);
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 800 });
      await expectNoHorizontalScrolling(page);
      await expectAccessible(page, ['color-contrast', 'target-size']);
      await page.locator('.links tbody').getByRole('button', { name: 'Revoke' }).click();
      await visitor.dialog.getByRole('button', { name: 'Revoke' }).click();
      await visitor.see('There are no valid links.');
      await created.waitFor({ state: 'detached' });
    });

    it('stop showing a new link after it is revoked elsewhere', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await pages.service.post(milestone('SR-elsewhere', 'received'));
      const instance = instancePath('service-request', 'SR-elsewhere');
      await pages.service.eventually(instance, () => true);
      await page.clock.install();
      await visitor.open('/instances/service-request/SR-elsewhere');
      await visitor.button('Create link').click();
      await visitor.dialog.getByRole('button', { name: 'Create link' }).click();
      await page.locator('.links tbody tr').waitFor();
      const created = page.getByRole('group', { name: 'New link' });
      await created.waitFor();
      await pages.service.ask(`${instance}/links`, { method: 'DELETE' });
      await page.clock.runFor(10_000);
      await visitor.see('There are no valid links.');
      expect(await created.count()).toBe(0);
    });

    it('show no path if no event was applied and the model has no diagram', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await pages.service.post(
        event('tickets', 'No-path', 'no-path', 'tickets.reserved', { who: 'A' }),
      );
      await pages.service.eventually(instancePath('tickets', 'No-path'), () => true);
      await page.route('**/api/models/tickets', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), diagram: null } });
      });
      await visitor.open('/instances/tickets/No-path');
      await visitor.heading('Step 1 of 1 (now)').waitFor();
      expect(await visitor.heading('Path through the model').count()).toBe(0);
    });

    it('do not show revoked links again if an earlier list arrives after a later list', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const name = 'SR-slow-links';
      const instance = instancePath('service-request', name);
      await pages.service.post(milestone(name, 'received'));
      await pages.service.eventually(instance, () => true);
      const body = JSON.stringify({ model: 'service-request', transaction: name });
      for (const _ of [1, 2, 3]) await pages.service.ask('/api/links', { method: 'POST', body });
      const released = Promise.withResolvers<void>();
      let lists = 0;
      await page.route(`**${instance}/links?*`, async (route) => {
        const response = await route.fetch();
        if (++lists === 2) await released.promise;
        await route.fulfill({ response });
      });
      await visitor.open(`/instances/service-request/${name}`);
      const rows = page.locator('.links tbody tr');
      for (const expected of [2, 3]) {
        await rows
          .nth(expected - 2)
          .getByRole('button', { name: 'Revoke' })
          .click();
        await visitor.dialog.getByRole('button', { name: 'Revoke' }).click();
        await visitor.dialog.waitFor({ state: 'hidden' });
        await eventually(() => expect(lists).toBe(expected));
      }
      await rows.nth(1).waitFor({ state: 'detached' });
      const late = page.waitForResponse((response) => response.url().includes('/links?'));
      released.resolve();
      await (await late).finished();
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 0))');
      expect(await rows.count()).toBe(1);
    });
  });

  it('show the selected step less than one screen below the top of the history on a phone', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const height = 844;
    await page.setViewportSize({ width: 390, height });
    const rejected = Array.from({ length: 30 }, (_, n) =>
      event('service-request', 'Phone', `n${n}`, 'milestone.reached', { milestone: 'nonsense' }),
    );
    await pages.service.post(...rejected);
    await pages.service.eventually<HistoryPage>(
      `${instancePath('service-request', 'Phone')}/history?limit=100`,
      ({ entries }) => entries.length === 30,
    );
    await visitor.open('/instances/service-request/Phone');
    await visitor.button(/^25\b/).click();
    await visitor.heading('Step 25 of 30').waitFor();
    const [list, step] = await Promise.all(
      ['.events', '.step'].map((part) => page.locator(part).boundingBox()),
    );
    expect(step!.y - list!.y).toBeLessThan(height);
    await expectAccessible(page);
  });

  it('show that the due timers of a blocked instance wait for a redrive', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const name = 'Blocked-timer';
    await pages.service.post(reached(name, 'received', Date.now()));
    await pages.service.eventually(instancePath('service-request', name), () => true);
    await page.route(`**${instancePath('service-request', name)}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('"parked":0', '"parked":1')
        .replaceAll(/"dueAt":"[^"]*"/g, '"dueAt":"2026-01-01T00:00:00Z"');
      await route.fulfill({ response, body });
    });
    await visitor.open(`/instances/service-request/${name}`);
    await visitor.see('blocked: 1 event parked');
    expect(await page.locator('.timers time').first().textContent()).toBe('waiting for a redrive');
  });

  it('show an error in each part of an instance that could not be loaded', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const instance = instancePath('service-request', 'SR-parts');
    // Wait for the first event, because otherwise one commit could contain both events, and version 1 would be the
    // current version.
    for (const [index, name] of ['received', 'verified'].entries()) {
      await pages.service.post(milestone('SR-parts', name));
      await pages.service.eventually<{ version: number }>(
        instance,
        ({ version }) => version > index,
      );
    }
    const customer = { model: 'service-request', transaction: 'SR-parts' };
    await pages.service.ask('/api/links', { method: 'POST', body: JSON.stringify(customer) });
    const refuse = (part: string) =>
      page.route(part, (route) =>
        route.fulfill({ status: 409, body: `{"detail":"cannot read ${part.slice(3)}"}` }),
      );
    const parts = {
      Deadlines: '**/deadlines',
      'Customer links': '**/links?*',
      History: '**/history?*',
      'Path through the model': '**/models/service-request',
    };
    for (const part of Object.values(parts)) await refuse(part);
    await visitor.open('/instances/service-request/SR-parts');
    for (const [name, part] of Object.entries(parts)) {
      const region = page.getByRole('region', { name, exact: true });
      const alert = region.getByRole('alert');
      expect(await alert.textContent()).toBe(`Cannot read ${part.slice(3)}. Try again`);
      await page.unroute(part);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor({ state: 'detached' });
    }
    await page.locator('.deadlines .bar').first().waitFor();
    await page.locator('.links tbody tr').waitFor();
    await page.locator('.node', { hasText: 'Cancelled' }).waitFor();

    await refuse('**/SR-parts?version=1');
    await visitor.navigate('/instances/service-request/SR-parts?version=1');
    await visitor.see('Cannot read SR-parts?version=1. This page shows the current state.');
    await visitor.heading('Deadlines').waitFor();
    expect(await page.locator('.then').count()).toBe(0);
  });

  it('explain how to create an instance that does not exist, unless its model does not exist', async () => {
    await using visitor = await pages.openWindow();
    const command = visitor.page.getByText('npx milepost put');
    await visitor.open('/instances/service-requst/SR-9');
    await visitor.see('did you mean');
    await command.waitFor({ state: 'detached' });
    await visitor.navigate('/instances/service-request/SR-9');
    expect(await command.textContent()).toBe('npx milepost put service-request SR-9 EVENT-TYPE');
  });
});
