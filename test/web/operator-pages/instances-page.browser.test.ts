import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { reached } from '../../support/models/milestone-event.ts';
import { modelRegistry, type ShownModel } from '../../support/models/register-models.ts';
import { eventually, expectAccessible } from '../browser.ts';
import { event, milestone, operatorPages, session } from './operator-pages.ts';

const pages = operatorPages();

describe('the operator pages', () => {
  describe.concurrent('for an operator', () => {
    it('list instances in pages, with filters in the address', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const create = (n: number) => event('activation', `ATV-${n}`, 'a', 'account.created');
      await pages.service.post(...Array.from({ length: 60 }, (_, n) => create(n)));
      await pages.service.eventually<{ instances: unknown[] }>(
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

    it('update the list and the overview, which link to the instances, when instances start', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await pages.putRecord(session('web-1'));
      await visitor.open('/instances?model=session');
      await visitor.seeRows(1);
      await pages.putRecord(session('web-2'));
      await visitor.link('web-2').click();
      await visitor.heading('web-2').waitFor();
      await visitor.link('Session on a website').click();
      await page.waitForURL(/\/instances\?model=session$/);
      await visitor.seeRows(2);

      await visitor.link('Overview').click();
      const card = page.locator('.card', { hasText: 'Session on a website' });
      await card.locator('li', { hasText: /^Open2$/ }).waitFor();
      await pages.putRecord(session('web-3'));
      await card.locator('li', { hasText: /^Open3$/ }).waitFor();
      await card.getByRole('link', { name: 'Open' }).click();
      await page.waitForURL(/\/instances\?model=session&status=Open$/);
      await visitor.seeRows(3);
      expect(await page.title()).toBe('Instances · Milepost');
    });
  });

  it('find instances by business key', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const submitted = { service: 'music', device: 'TV-77', token: 't' };
    await pages.service.post(event('new-device', 'work-1', 'a', 'activation.submitted', submitted));
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

  it('can export and redrive all instances of a list, stop a redrive, and skip instances that have nothing to forget', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    const register = await modelRegistry(pages.service);
    const { body } = await pages.service.ask<ShownModel>('/api/models/activation');
    const broken = { id: 'bulk', title: 'Bulk', functionArn: `${body.functionArn}Gone` };
    await register({ ...body, ...broken });
    const names = Array.from({ length: 6 }, (_, n) => `Bulk-${n}`);
    await pages.service.post(...names.map((name) => event('bulk', name, 'b1', 'account.created')));
    await pages.service.eventually<{ instances: unknown[] }>(
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

  it('keep the dialog of an operation open until it shows the result, even if the operation empties the list', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    await pages.service.post(
      milestone('Emptied-1', 'received'),
      milestone('Emptied-2', 'received'),
    );
    await pages.service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Emptied',
      ({ instances }) => instances.length === 2,
    );
    await page.clock.install();
    await visitor.open('/instances?q=Emptied');
    await visitor.seeRows(2);
    // The operation itself reads the list with the filter `parked`.
    await page.route('**/api/instances?*parked=true*', async (route) =>
      route.fulfill({
        response: await route.fetch({
          url: route
            .request()
            .url()
            .replace(/&?parked=true/, ''),
        }),
      }),
    );
    const held = Promise.withResolvers<void>();
    await page.route('**/redrive', async (route) => {
      await held.promise;
      await route.fulfill({ status: 500, body: '{"detail":"the model is broken"}' });
    });
    await visitor.button('Redrive').click();
    await dialog.getByText('2 instances').waitFor();
    await dialog.getByRole('button', { name: 'Redrive' }).click();
    await dialog.getByRole('button', { name: 'Stop' }).waitFor();
    await page.route('**/api/instances?*', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"instances":[],"total":0}' }),
    );
    await page.clock.runFor(5_000);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    held.resolve();
    expect(await dialog.getByRole('alert').textContent()).toContain('2 instances failed.');
    await page.keyboard.press('Escape');
    await visitor.heading('No matching instances').waitFor();
  });

  it('stop an operation when the user leaves the page', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    const names = Array.from({ length: 9 }, (_, index) => `Left-${index}`);
    await pages.service.post(...names.map((name) => milestone(name, 'received')));
    await pages.service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Left',
      ({ instances }) => instances.length === names.length,
    );
    await visitor.open('/models');
    await visitor.navigate('/instances?q=Left');
    await visitor.seeRows(names.length);
    let sent = 0;
    const held = Promise.withResolvers<void>();
    await page.route('**/forget', async (route) => {
      sent++;
      await held.promise;
      await route.fulfill({ contentType: 'application/json', body: '{}' });
    });
    await visitor.button('Forget').click();
    await dialog.getByLabel('Type 9 to confirm').fill('9');
    await dialog.getByRole('button', { name: 'Forget' }).click();
    await dialog.getByRole('button', { name: 'Stop' }).waitFor();
    await page.goBack();
    await visitor.heading('Models').waitFor();
    const finished = page.waitForResponse('**/forget');
    held.resolve();
    await (await finished).finished();
    await visitor.navigate('/instances?q=Left');
    await visitor.seeRows(names.length);
    expect(sent).toBe(4);
  });

  it('can sort late instances by how long they have been late, and show when the list was updated', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const day = 86_400_000;
    for (const days of [20, 40, 30])
      await pages.service.post(reached(`Old-${days}`, 'received', Date.now() - days * day));
    await pages.service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Old&risk=late',
      ({ instances }) => instances.length === 3,
    );
    await visitor.open('/instances?risk=late');
    await page.getByLabel('Order').selectOption('Longest late first');
    await page.waitForURL(/order=oldest/);
    // Until the sorted list is loaded, the page shows the previous list.
    await eventually(async () => {
      const texts = await visitor.rows.locator('th a').allTextContents();
      const old = texts.filter((text) => text.startsWith('Old'));
      expect(old).toEqual(['Old-40', 'Old-30', 'Old-20']);
    });
    await visitor.rows
      .first()
      .getByText(/^Verified: \d+ days late$/)
      .waitFor();
    await page.getByText(/^Updated just now$/).waitFor();
  });

  it('include an instance in an operation that changes while the operation reads the list', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    const list = (status: string) =>
      pages.service.eventually<{ instances: unknown[] }>(
        `/api/instances?q=Moving&status=${status}`,
        ({ instances }) => instances.length === 1,
      );
    await pages.service.post(session('Moving'));
    await list('Open');
    await pages.service.post(...Array.from({ length: 100 }, (_, n) => session(`Still-${n}`)));
    await pages.service.eventually<{ instances: unknown[] }>(
      '/api/instances?q=Still&limit=100',
      ({ instances }) => instances.length === 100,
    );
    await visitor.open('/instances?model=session');
    await page.route('**/api/instances?*cursor=*', async (route) => {
      await pages.service.post(event('session', 'Moving', 'e', 'session.ended'));
      await list('Ended');
      await route.continue();
    });
    await visitor.button('Export').click();
    await dialog.getByText(/^\d+ instances$/).waitFor();
    await dialog.getByLabel('JSON Lines').check();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const saved = await readFile(await (await saving).path(), 'utf8');
    expect(saved.match(/"transaction":"Moving"/g)).toHaveLength(1);
  });

  it('show why an export could not read the instances of a list', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    await pages.service.post(milestone('SR-list', 'received'));
    await visitor.open('/instances?q=SR-list');
    await visitor.seeRows(1);
    await page.route('**/api/instances?*limit=100*', (route) =>
      route.fulfill({ status: 400, body: '{"detail":"`q` is odd"}' }),
    );
    await visitor.button('Export').click();
    const wrong = dialog.locator('.wrong');
    expect(await wrong.textContent()).toBe('q is odd.');
  });
});
