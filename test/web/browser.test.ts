import { readFile } from 'node:fs/promises';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reached } from '../support/models/milestone-event.ts';
import { modelRegistry, type ShownModel } from '../support/models/register-models.ts';
import { deployedFolder } from '../support/service/deployed-folder.ts';
import { instancePath, Service } from '../support/service/service.ts';
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  findBrowser,
  isInView,
  startBrowser,
  watchShifts,
} from './browser.ts';
import { Visitor } from './visitor.ts';

const path = findBrowser();

let service: Service;
let browser: Browser;
let context: BrowserContext;
const complaints: string[] = [];

const come = () => Visitor.come(context, service.ready.api, complaints);
const event = (modelid: string, transactionid: string, id: string, type: string, data = {}) => ({
  id,
  source: 'test',
  type,
  modelid,
  transactionid,
  data,
});
interface Paced {
  readonly steps: {
    readonly milestones: readonly { readonly to: string; readonly count: number }[];
  };
}
const milestone = (transaction: string, name: string) =>
  event('service-request', transaction, name, 'milestone.reached', { milestone: name });
const session = (transaction: string) =>
  event('session', transaction, 's', 'session.started', { token: 't' });
const putBytes = (bytes: string | Uint8Array) =>
  service.kinesis.send(
    new PutRecordCommand({
      StreamName: service.ready.stream,
      PartitionKey: 'key',
      Data: Buffer.from(bytes as string),
    }),
  );
const putRecord = (record: object) => putBytes(JSON.stringify(record));

describe('the operator pages', () => {
  beforeAll(async () => {
    if (path === undefined)
      throw new Error('chromium, chromium-browser or google-chrome must be on the PATH');
    [service, browser] = await Promise.all([
      deployedFolder().then((MILEPOST_DATA) => Service.start({ MILEPOST_DATA })),
      startBrowser(path),
    ]);
    context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('show a hint if there is no data', async () => {
    await using visitor = await come();
    await visitor.open('/');
    await visitor.heading('No instances yet').waitFor();
    await visitor.see('npx milepost put activation ATV-123 account.created');
    await visitor.goInside('/instances');
    await visitor.heading('No instances yet').waitFor();
    await visitor.goInside('/dead-letters');
    await visitor.heading('No dead letters').waitFor();
    expect(await visitor.page.title()).toBe('Dead letters · Milepost');
    await visitor.goInside('/nowhere');
    await visitor.see('There is no page at this address');
  });

  describe.concurrent('for an operator', () => {
    it('are accessible in both themes and at all widths, without layout shifts', async () => {
      await putRecord(milestone('Axe/1', 'received'));
      await putBytes('no JSON');
      await putBytes('no JSON either');
      await service.eventually<{ deadLetters: unknown[] }>(
        '/api/dead-letters',
        ({ deadLetters }) => deadLetters.length > 1,
      );
      // Use a separate window whose size does not change, because a slow browser counts size changes as layout shifts.
      await using watched = await come();
      const shifts = await watchShifts(watched.page);
      await watched.page.setViewportSize({ width: 1280, height: 800 });
      await watched.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await using visitor = await come();
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
        await watched.goInside(to);
        await watched.page.locator(sign).first().waitFor();
        expect((await shifts()) - before).toBeLessThan(0.05);
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await visitor.goInside(to);
        await page.locator(sign).first().waitFor();
        await expectAccessible(page);
        const light = await background();
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await background()).not.toBe(light);
        await page.setViewportSize({ width: 360, height: 740 });
        await expectNoSidewaysScrolling(page);
        await expectAccessible(page, ['color-contrast', 'target-size']);
      }
    });

    it('show each step of an instance as soon as the event is applied', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await visitor.open('/instances/service-request/A%2FB%20%C3%A9');
      await visitor.see('There is no instance service-request/A/B é.');
      await putRecord(milestone('A/B é', 'received'));
      await page.locator('.status', { hasText: 'Received' }).waitFor();
      expect(await page.title()).toBe('A/B é · Milepost');
      await page.locator('.diagram .node.present', { hasText: 'Received' }).waitFor();
      await page.locator('.timeline .reached', { hasText: 'Received' }).waitFor();
      await page.locator('.timeline .current', { hasText: /Verified.*expected in 23 h/ }).waitFor();
      await page.locator('.timers', { hasText: /late\/verified\s*23:59:\d\d/ }).waitFor();
      const time = page.locator('.summary time').first();
      expect(await time.getAttribute('datetime')).toMatch(/^\d{4}-.*Z$/);
      expect(await time.getAttribute('title')).toMatch(/\d\d:\d\d:\d\d (?:CET|CEST|GMT)/);

      await putRecord(milestone('A/B é', 'verified'));
      await putRecord(milestone('A/B é', 'nonsense'));
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
      await using visitor = await come();
      const { page } = visitor;
      const at = '/instances/service-request/Past';
      for (const [index, name] of ['received', 'verified', 'scheduled'].entries()) {
        await putRecord(milestone('Past', name));
        await service.eventually<{ version: number }>(
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
      await expectNoSidewaysScrolling(page);
      await expectAccessible(page, ['color-contrast', 'target-size']);
      await first.focus();
      await page.keyboard.press('Enter');
      await visitor.see('after version 1 of 3');

      await visitor.link('Back to now').click();
      await page.locator('.status', { hasText: 'Scheduled' }).waitFor();
      expect(visitor.query).toEqual({});
      expect(await page.locator('.past').count()).toBe(0);
      await visitor.goInside(`${at}?version=9`);
      await visitor.see('service-request/Past has no version 9; it has versions 1 to 3');
    });

    it('show the current state of an instance with a long history', async () => {
      await using visitor = await come();
      const rejected = Array.from({ length: 210 }, (_, n) =>
        event('service-request', 'Long', `n${n}`, 'milestone.reached', { milestone: 'nonsense' }),
      );
      await service.post(...rejected, milestone('Long', 'received'));
      await service.eventually<{ status: string }>(
        instancePath('service-request', 'Long'),
        ({ status }) => status === 'Received',
      );
      await visitor.open('/instances/service-request/Long');
      await visitor.heading('Current state').waitFor();
      await visitor.page.locator('.step .row', { hasText: '"received": "20' }).waitFor();
      await visitor.heading('History 200+').waitFor();
      await expectAccessible(visitor.page);
      await visitor.button('Load later events').click();
      await visitor.heading('Step 211 of 211 (now)').waitFor();
      expect(visitor.query).toEqual({});
    });

    it('show escapes for characters of ids that are invisible or change the text direction', async ({
      expect,
    }) => {
      await using visitor = await come();
      const id = '\u202eevil\u202c P-1\u2028P-2\u200b';
      const shown = '\\u202eevil\\u202c P-1\\u2028P-2\\u200b';
      await service.post(
        event('service-request', id, 'e\u202e', 'milestone.reached', { milestone: 'received' }),
      );
      await service.eventually(instancePath('service-request', id), () => true);
      await visitor.open('/instances?model=service-request');
      await visitor.link(shown).click();
      await visitor.heading(shown).waitFor();
      await expect.poll(() => visitor.page.title()).toBe(`${shown} · Milepost`);
      await visitor.page.locator('code bdi', { hasText: 'e\\u202e' }).waitFor();
    });

    it('show when imported events happened and were recorded, and show past states by either time', async () => {
      await using visitor = await come();
      const { page } = visitor;
      const at = '/instances/service-request/Import';
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
      const imported = { verified: daysAgo(2), received: daysAgo(4) };
      for (const [name, time] of Object.entries(imported)) {
        await putRecord({ ...milestone('Import', name), time });
        await service.eventually<{ milestones: { id: string; at: string | null }[] }>(
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
      await visitor.see('its first event was recorded at');
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
          await expectNoSidewaysScrolling(page);
          await expectAccessible(page);
        }
      await visitor.link('Back to now').click();
      await page.locator('.status', { hasText: 'Verified' }).waitFor();
      expect(visitor.query).toEqual({});
    });

    it('list instances in pages, with filters in the address', async () => {
      await using visitor = await come();
      const { page } = visitor;
      const create = (n: number) => event('activation', `ATV-${n}`, 'a', 'account.created');
      await service.post(...Array.from({ length: 60 }, (_, n) => create(n)));
      await service.eventually<{ instances: unknown[] }>(
        '/api/instances?model=activation&limit=60',
        ({ instances }) => instances.length === 60,
      );
      await visitor.open('/instances?model=activation');
      await visitor.seeRows(25);
      const first = (await visitor.rows.first().locator('a').textContent())!;
      await visitor.button(/Next/).click();
      await page.waitForURL(/cursor=/);
      await visitor.seeRows(25);
      expect(await visitor.link(first).count()).toBe(0);
      await visitor.button(/Next/).click();
      await visitor.seeRows(10);
      expect(await visitor.button(/Next/).isDisabled()).toBe(true);
      await visitor.button(/Previous/).click();
      await visitor.seeRows(25);
      await visitor.button(/Previous/).click();
      await page.waitForURL((url) => !url.searchParams.has('cursor'));
      await visitor.link(first).waitFor();
      expect(await visitor.button(/Previous/).isDisabled()).toBe(true);

      await page.getByLabel('Transaction id starts with').fill('ATV-1');
      await visitor.seeRows(11);
      expect(visitor.query).toEqual({ model: 'activation', q: 'ATV-1' });
      await page.getByLabel('Status').selectOption('Active');
      await visitor.heading('No matching instances').waitFor();
      await page.goBack();
      await visitor.seeRows(11);
      expect(await page.getByLabel('Status').inputValue()).toBe('');
      await page.goForward();
      await visitor.heading('No matching instances').waitFor();
      expect(await page.getByLabel('Status').inputValue()).toBe('Active');
      await page.getByLabel('Status').selectOption('New');
      await visitor.seeRows(11);
      await page.getByLabel('Deadlines').selectOption('Late');
      await page.waitForURL(/risk=late/);
      await visitor.heading('No matching instances').waitFor();
      await visitor.link('show all instances').click();
      await visitor.seeRows(25);
    });

    it('update the list and the overview when instances start, and link both to the instances', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await putRecord(session('web-1'));
      await visitor.open('/instances?model=session');
      await visitor.seeRows(1);
      await putRecord(session('web-2'));
      await visitor.link('web-2').click();
      await visitor.heading('web-2').waitFor();
      await visitor.link('Session on a website').click();
      await page.waitForURL(/\/instances\?model=session$/);
      await visitor.seeRows(2);

      await visitor.link('Overview').click();
      const card = page.locator('.card', { hasText: 'Session on a website' });
      await card.locator('li', { hasText: /^Open2$/ }).waitFor();
      await putRecord(session('web-3'));
      await card.locator('li', { hasText: /^Open3$/ }).waitFor();
      await card.getByRole('link', { name: 'Open' }).click();
      await page.waitForURL(/\/instances\?model=session&status=Open$/);
      await visitor.seeRows(3);
      expect(await page.title()).toBe('Instances · Milepost');
    });

    it('show the current step of a long process first, at every size', async ({ expect }) => {
      await using visitor = await come();
      const { page } = visitor;
      const names = ['received', 'verified', 'scheduled', 'fulfilled'];
      await service.post(...names.map((name) => milestone('Long-1', name)));
      for (const width of [1280, 390]) {
        // In a short window, the milestones and the diagram do not fit on the screen.
        await page.setViewportSize({ width, height: 260 });
        await visitor.open('/instances/service-request/Long-1');
        await expect.poll(() => isInView(page, '.timeline .current', '.long')).toBe(true);
        await expect.poll(() => isInView(page, '.diagram .present', '.diagram')).toBe(true);
      }
    });

    it('can redrive parked events', async () => {
      await using visitor = await come();
      const { page } = visitor;
      const register = await modelRegistry(service);
      const { body } = await service.ask<ShownModel>('/api/models/activation');
      const claims = { ...body, id: 'claims', title: 'Claims' };
      await register({ ...claims, functionArn: `${body.functionArn}Gone` });
      await service.post(
        event('claims', 'C-1', 'c1', 'account.created'),
        event('claims', 'C-1', 'c2', 'activation.requested', { service: 'NBC' }),
      );
      await service.eventually<{ parked: number }>(
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

    it('show dead letters and can redrive and delete them', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await putBytes('{"foo":"data for you"}');
      await putBytes(Uint8Array.of(0xff, 0x00, 0x10));
      await visitor.open('/dead-letters');
      const json = page.locator('.group', { hasText: '"foo": "data for you"' });
      const bytes = page.locator('.group', { hasText: '0000  ff 00 10' });
      await json.locator('h2', { hasText: 'modelid is missing' }).waitFor();
      await bytes.waitFor();

      await json.getByRole('button', { name: 'Redrive' }).click();
      await visitor.dialog.getByRole('button', { name: 'Redrive' }).click();
      await visitor.see('The record is back on the stream.');
      await json.waitFor();

      await bytes.getByRole('button', { name: 'Delete' }).click();
      await page.keyboard.press('Escape');
      await visitor.dialog.waitFor({ state: 'hidden' });
      expect(await visitor.focused('textContent')).toBe('Delete');
      await page.keyboard.press('Enter');
      await expectAccessible(page);
      await visitor.dialog.getByRole('button', { name: 'Delete' }).click();
      await visitor.see('Deleted the dead letter.');
      await bytes.waitFor({ state: 'detached' });
      const { body } = await service.ask<{ deadLetters: { raw: string }[] }>('/api/dead-letters');
      const left = body.deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString('latin1'));
      expect(left).toContain('{"foo":"data for you"}');
      expect(left).not.toContain('\u00ff\u0000\u0010');
    });

    it('show the models and support the keyboard', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await visitor.open('/models');
      await visitor.link('Service activation on a device').click();
      await page.waitForURL(/\/models\/activation$/);
      await visitor.see('entitlement.requested');
      await page.locator('.diagram .node', { hasText: 'Suspended' }).waitFor();
      await visitor.goInside('/models/none');
      await visitor.see('There is no model none; available models: activation');
      expect(await page.title()).toBe('none · Milepost');

      await visitor.open('/');
      await page.locator('.tile').first().waitFor();
      await page.keyboard.press('Tab');
      expect(await visitor.focused('textContent')).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await visitor.focused('id')).toBe('main');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await visitor.heading('Instances').waitFor();
      await expect.poll(() => visitor.focused('id')).toBe('main');
    });

    it('list the versions of a model and can roll back to one', async () => {
      await using visitor = await come();
      const { page } = visitor;
      const write = await modelRegistry(service);
      const { body } = await service.ask<ShownModel>('/api/models/offers');
      const version = (number: number) => ({
        functionVersion: String(number),
        version: number,
        functionArn: `${body.functionArn}:${number}`,
        registeredAt: '2026-01-01T00:00:00.000Z',
      });
      // The third deployment is the latest, and the code of the second deployment was deleted.
      await write({ ...body, ...version(3), functionArn: body.functionArn });
      const versions = [version(3), version(2), version(1)];
      await write({ ...body, id: 'offers#versions', ...{ revision: 3, versions } });
      await visitor.open('/models/offers');
      await visitor.heading('Versions').waitFor();
      const row = (number: number) => page.locator('.versions tbody tr').nth(3 - number);
      await row(3).getByText('current').waitFor();
      await expectAccessible(page, ['color-contrast']);
      await row(2).getByRole('button', { name: 'Roll back' }).click();
      await visitor.dialog.getByRole('button', { name: 'Roll back' }).click();
      await visitor.dialog.getByText('cannot run').waitFor();
      await visitor.dialog.getByRole('button', { name: 'Cancel' }).click();
      await visitor.dialog.waitFor({ state: 'hidden' });
      await row(1).getByRole('button', { name: 'Roll back' }).click();
      await visitor.dialog.getByRole('button', { name: 'Roll back' }).click();
      await visitor.see(/Function version 1 .* becomes active/);
      await row(1).getByText('current').waitFor();
      await visitor.see(/is rolled back/);
      await page.locator('.arn', { hasText: /:1$/ }).waitFor();
      await row(3).getByRole('button', { name: 'Roll forward' }).waitFor();
      expect(await page.locator('.versions .tag').allTextContents()).toEqual(['current']);
    });

    it('can revoke customer links, individually or all together', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await service.post(milestone('SR-links', 'received'));
      const instance = instancePath('service-request', 'SR-links');
      await service.eventually(instance, () => true);
      const made: string[] = [];
      for (let n = 0; n < 3; n++) {
        const body = JSON.stringify({ model: 'service-request', transaction: 'SR-links' });
        const answer = await service.ask<{ url: string }>('/api/links', { method: 'POST', body });
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
      expect(await statuses()).toEqual([404, 200, 200]);
      await visitor.button('Revoke all').click();
      await visitor.dialog.getByRole('button', { name: 'Revoke all' }).click();
      await visitor.see('Revoked all links.');
      await visitor.heading('Customer links').waitFor({ state: 'detached' });
      expect(await statuses()).toEqual([404, 404, 404]);
    });

    it('keep their content and show a banner if the service cannot be reached', async () => {
      await using visitor = await come();
      const { page } = visitor;
      await service.post(milestone('SR-1', 'received'));
      await visitor.open('/instances?q=SR-1');
      await visitor.seeRows(1);
      await page.route('**/api/**', (route) => route.abort());
      await visitor.see(/Cannot reach the service/);
      await visitor.seeRows(1);
      await expectAccessible(page, ['color-contrast']);
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

  // This test must run after the tests above, because they count activations, and a new device adds one.
  it('find instances by business key', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const submitted = { service: 'music', device: 'TV-77', token: 't' };
    await service.post(event('new-device', 'work-1', 'a', 'activation.submitted', submitted));
    await visitor.open('/instances');
    await page.getByLabel('Business key', { exact: true }).fill('device:TV-77');
    await visitor.seeRows(1);
    await visitor.link('work-1').waitFor();
    expect(visitor.query).toEqual({ key: 'device:TV-77' });
    await page.getByLabel('Business key', { exact: true }).fill('device:none');
    await visitor.heading('No matching instances').waitFor();
    await visitor.open('/instances?model=new-device');
    await visitor.link('device:TV-77').click();
    await visitor.seeRows(1);
    expect(visitor.query).toEqual({ key: 'device:TV-77' });
  });

  it('can export, redrive and forget all instances of a list', async () => {
    await using visitor = await come();
    const { page, dialog } = visitor;
    const register = await modelRegistry(service);
    const { body } = await service.ask<ShownModel>('/api/models/activation');
    const broken = { id: 'bulk', title: 'Bulk', functionArn: `${body.functionArn}Gone` };
    await register({ ...body, ...broken });
    const names = Array.from({ length: 6 }, (_, n) => `Bulk-${n}`);
    await service.post(...names.map((name) => event('bulk', name, 'b1', 'account.created')));
    await service.eventually<{ instances: unknown[] }>(
      '/api/instances?model=bulk&parked=true',
      ({ instances }) => instances.length === 6,
    );
    await visitor.open('/instances?model=bulk&parked=true');
    await visitor.seeRows(6);
    const confirm = (name: string) => dialog.getByRole('button', { name });

    await visitor.button('Export').click();
    await dialog.getByText('6 instances').waitFor();
    await dialog.getByLabel('JSON Lines').check();
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await confirm('Export').click();
    const saved = await readFile(await (await saving).path(), 'utf8');
    const lines = saved.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { transaction: string }).transaction)).toEqual(
      expect.arrayContaining(names),
    );
    await visitor.see('Exported 6 instances.');

    // The first requests are held back until the user stops the operation, so the remaining requests are never sent.
    const held = Promise.withResolvers<void>();
    await page.route('**/redrive', async (route) => {
      await held.promise;
      await route.continue();
    });
    await visitor.button('Redrive').click();
    await dialog.getByText('6 instances').waitFor();
    await confirm('Redrive').click();
    await confirm('Stop').click();
    held.resolve();
    await dialog.getByText(/^Stopped after \d of 6\.$/).waitFor();
    await page.unroute('**/redrive');
    await visitor.open('/instances?model=bulk&parked=true');
    await visitor.button('Redrive').click();
    await confirm('Redrive').click();
    await visitor.see('Redriving 6 instances.');

    await visitor.button('Forget').click();
    await dialog.getByText('6 instances', { exact: true }).waitFor();
    expect(await confirm('Forget').isDisabled()).toBe(true);
    await dialog.getByLabel('Type 6 to confirm').fill('6');
    await confirm('Forget').click();
    await visitor.see(/Skipped 6 instances without sensitive fields/);
  });

  it('are printed on a white background, without controls', async () => {
    await using visitor = await come();
    const { page } = visitor;
    await service.post(event('activation', 'Print-1', 'print-1-a', 'account.created'));
    await service.eventually(instancePath('activation', 'Print-1'), () => true);
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

  it('can be searched with the keyboard, and remember opened results', async () => {
    await using visitor = await come();
    const { page } = visitor;
    // Results are sorted by their latest change.
    for (const number of [1, 2]) {
      await service.post(
        event('activation', `Find-${number}`, `find-${number}-a`, 'account.created'),
      );
      await service.eventually<{ instances: unknown[] }>(
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
    await chosen.filter({ hasText: 'account.created of Find-2, version 1' }).click();
    await visitor.heading('Find-2').waitFor();
    expect(visitor.query).toEqual({ version: '1' });

    await visitor.button('Search').click();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Search /');
  });

  it('can list the instances that have been late longest first, and show when the list was updated', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const day = 86_400_000;
    for (const days of [20, 40, 30])
      await service.post(reached(`Old-${days}`, 'received', Date.now() - days * day));
    await service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Old&risk=late',
      ({ instances }) => instances.length === 3,
    );
    await visitor.open('/instances?risk=late');
    await page.getByLabel('Order').selectOption('Longest late first');
    await page.waitForURL(/order=oldest/);
    await visitor.rows.first().locator('a', { hasText: 'Old-40' }).waitFor();
    const texts = await visitor.rows.locator('th a').allTextContents();
    expect(texts.filter((text) => text.startsWith('Old'))).toEqual(['Old-40', 'Old-30', 'Old-20']);
    await visitor.rows
      .first()
      .getByText(/^Verified: \d+ days late$/)
      .waitFor();
    await page.getByText(/^Updated just now$/).waitFor();
  });

  it('show that the due timers of a blocked instance wait for a redrive', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const name = 'Blocked-timer';
    await service.post(reached(name, 'received', Date.now()));
    await service.eventually(instancePath('service-request', name), () => true);
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

  it('load automatically once the service can be reached again', async () => {
    await using visitor = await come();
    const { page } = visitor;
    await visitor.open('/dead-letters');
    await page.route('**/api/**', (route) => route.abort());
    await visitor.goInside('/models/service-request');
    await visitor.heading('Something went wrong').waitFor();
    await page.unroute('**/api/**');
    await visitor.heading('Customer service request').waitFor();
    await page.locator('.banner').waitFor({ state: 'detached' });
    expect(await visitor.heading('Something went wrong').count()).toBe(0);
  });

  it('say which parts of an instance could not be loaded', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const instance = instancePath('service-request', 'SR-parts');
    // The second event waits for the first, because one commit would contain both, and version 1 would not be past.
    for (const [index, name] of ['received', 'verified'].entries()) {
      await service.post(milestone('SR-parts', name));
      await service.eventually<{ version: number }>(instance, ({ version }) => version > index);
    }
    const customer = { model: 'service-request', transaction: 'SR-parts' };
    await service.ask('/api/links', { method: 'POST', body: JSON.stringify(customer) });
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
    await visitor.goInside('/instances/service-request/SR-parts?version=1');
    await visitor.see('Cannot read SR-parts?version=1. This page shows the current state.');
    await visitor.heading('Deadlines').waitFor();
    expect(await page.locator('.then').count()).toBe(0);
  });

  it('offer a link to the whole list if the address has an invalid cursor', async () => {
    await using visitor = await come();
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

  it('explain how to create an instance that does not exist, unless its model does not exist', async () => {
    await using visitor = await come();
    const command = visitor.page.getByText('npx milepost put');
    await visitor.open('/instances/service-requst/SR-9');
    await visitor.see('did you mean');
    await command.waitFor({ state: 'detached' });
    await visitor.goInside('/instances/service-request/SR-9');
    expect(await command.textContent()).toBe('npx milepost put service-request SR-9 EVENT-TYPE');
  });

  it('say why an export could not read the instances of a list', async () => {
    await using visitor = await come();
    const { page, dialog } = visitor;
    await service.post(milestone('SR-list', 'received'));
    await visitor.open('/instances?q=SR-list');
    await visitor.seeRows(1);
    await page.route('**/api/instances?*limit=100*', (route) =>
      route.fulfill({ status: 400, body: '{"detail":"`q` is odd"}' }),
    );
    await visitor.button('Export').click();
    const wrong = dialog.locator('.wrong');
    expect(await wrong.textContent()).toBe('q is odd.');
  });

  it('say which parts of a model could not be loaded', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const parts = ['**/service-request/versions', '**/service-request/sla?*'];
    for (const part of parts)
      await page.route(part, (route) => route.fulfill({ status: 400, body: '' }));
    await visitor.open('/models/service-request');
    const alerts = page.getByRole('alert');
    await alerts.nth(1).waitFor();
    expect(await alerts.allTextContents()).toEqual([
      'The service responded with status 400. Try again',
      'The service responded with status 400. Try again',
    ]);
    for (const part of parts) await page.unroute(part);
    await alerts.getByRole('button').first().click();
    await alerts.nth(1).waitFor({ state: 'detached' });
    await alerts.getByRole('button').click();
    await alerts.waitFor({ state: 'detached' });
  });

  it('show event rates, step durations and estimates', async () => {
    await using visitor = await come();
    const { page } = visitor;
    const hour = 3_600_000;
    const start = Date.now() - 100 * hour;
    const names = ['received', 'verified', 'scheduled', 'fulfilled', 'closed'];
    const finished = Array.from({ length: 20 }, (_, n) =>
      names.map((name, index) => reached(`SR-done-${n}`, name, start + 10 * hour * index)),
    );
    await service.post(...finished.flat());
    await service.post(reached('SR-open', 'received', Date.now() - hour));
    await service.eventually<Paced>('/api/models/service-request', ({ steps }) =>
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
    await visitor.open('/');
    const card = page.locator('.card', { hasText: 'Customer service request' });
    await card.getByText(/\d+ in the last hour/).waitFor();
    expect(await card.locator('.rate path').count()).toBe(60);
  });

  it('do not scroll sideways on a phone, however long a status is', async () => {
    await using visitor = await come();
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
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
        await expectNoSidewaysScrolling(page);
      }
      await page.locator('.durations tbody').getByText(status.trim()).first().waitFor();
      await expectNoSidewaysScrolling(page);
      expect(await page.locator('.durations table').count()).toBe(2);
      await page.unroute('**/api/**');
    }
  });

  it('show how many deadlines were met', async () => {
    await using visitor = await come();
    // The deadline was an hour ago: in this week or the previous one.
    await service.post(reached('SR-in-time', 'received', Date.now() - 2 * 3_600_000));
    await service.eventually<{ readonly weeks: readonly unknown[] }>(
      '/api/models/service-request/sla',
      ({ weeks }) => weeks.length > 0,
    );
    await visitor.open('/models/service-request');
    await visitor.page
      .locator('.attainment', { hasText: /Received:\s*100\.0% (this|last) week/ })
      .waitFor();
    await visitor.open('/');
    const card = visitor.page.locator('.card', { hasText: 'Customer service request' });
    await card.locator('.attainment', { hasText: /Deadlines met.*% (this|last) week/ }).waitFor();
    await visitor.open('/models/session');
    await visitor.heading('Diagram').waitFor();
    expect(await visitor.page.locator('.attainment').count()).toBe(0);
  });

  it('cause no errors in the console and send no requests to other origins', () => {
    expect(complaints).toEqual([]);
  });
});
