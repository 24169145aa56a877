import { describe, expect, it } from 'vitest';
import { reached } from '../../support/models/milestone-event.ts';
import { modelRegistry, type ShownModel } from '../../support/models/register-models.ts';
import { eventually, expectAccessible } from '../browser.ts';
import { operatorPages } from './operator-pages.ts';

const pages = operatorPages();

describe('the operator pages', () => {
  describe.concurrent('for an operator', () => {
    it('show the models and support the keyboard', async ({ expect }) => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      await visitor.open('/models');
      await visitor.link('Service activation on a device').click();
      await page.waitForURL(/\/models\/activation$/);
      await visitor.see('entitlement.requested');
      await page.locator('.diagram .node', { hasText: 'Suspended' }).waitFor();
      await visitor.navigate('/models/none');
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
      await eventually(async () => expect(await visitor.focused('id')).toBe('main'));
    });

    it('list the versions of a model and can roll back to an earlier version', async () => {
      await using visitor = await pages.openWindow();
      const { page } = visitor;
      const write = await modelRegistry(pages.service);
      const { body } = await pages.service.ask<ShownModel>('/api/models/offers');
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
      await row(3).getByRole('button', { name: 'Roll forward' }).click();
      await visitor.dialog.getByText('and the rollback ends.').waitFor();
    });
  });

  it('show an error in each part of a model that could not be loaded', async () => {
    await using visitor = await pages.openWindow();
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

  it('show the share of deadlines that were met', async () => {
    await using visitor = await pages.openWindow();
    // The deadline was an hour ago, either in this week or in the previous week.
    await pages.service.post(reached('SR-in-time', 'received', Date.now() - 2 * 3_600_000));
    await pages.service.eventually<{ readonly weeks: readonly unknown[] }>(
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
});
