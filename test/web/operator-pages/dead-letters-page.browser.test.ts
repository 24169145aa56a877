import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../browser.ts';
import { event, operatorPages } from './operator-pages.ts';

const pages = operatorPages();

describe('the operator pages', () => {
  it('show dead letters and can redrive and delete them', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.putBytes('{"foo":"data for you"}');
    await pages.putBytes(Uint8Array.of(0xff, 0x00, 0x10));
    await visitor.open('/dead-letters');
    const json = page.locator('.group', { hasText: '"foo": "data for you"' });
    const bytes = page.locator('.group', { hasText: '0000  ff 00 10' });
    await json.locator('h2', { hasText: 'modelid is missing' }).waitFor();
    await bytes.waitFor();
    expect(await bytes.locator('summary').textContent()).toBe('Record just now');

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
    const { body } = await pages.service.ask<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    const left = body.deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString('latin1'));
    expect(left).toContain('{"foo":"data for you"}');
    expect(left).not.toContain('\u00ff\u0000\u0010');
  });

  it('keep a dead letter open while other dead letters arrive', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(event('unknown-a', 'T-1', 'a1', 'x.happened'));
    await visitor.open('/dead-letters');
    const group = page.locator('.group', { hasText: 'no such model: unknown-a' });
    await group.getByLabel('Content').waitFor();
    await pages.service.post(event('unknown-a', 'T-2', 'a2', 'x.happened'));
    await group.locator('details').nth(1).waitFor();
    expect(await group.getByLabel('Content').count()).toBe(1);
  });

  it('show the start of a long dead letter, and the rest on request', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(
      event('unknown-f', 'T-1', 'f1', 'x.happened', { text: 'x'.repeat(20_000) }),
    );
    await visitor.open('/dead-letters');
    const group = page.locator('.group', { hasText: 'no such model: unknown-f' });
    const all = group.getByRole('button', { name: 'Show all' });
    await all.waitFor();
    const content = () => group.getByLabel('Content').textContent();
    expect(await content()).toHaveLength(10_000);
    const [above, below] = await Promise.all([
      all.boundingBox(),
      group.getByRole('button', { name: 'Redrive' }).boundingBox(),
    ]);
    expect(below!.y - above!.y - above!.height).toBeGreaterThanOrEqual(8);
    await all.click();
    expect((await content())!.length).toBeGreaterThan(20_000);
    expect(await all.count()).toBe(0);
  });

  it('do not change while a dialog is open', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(event('unknown-b', 'T-1', 'b1', 'x.happened'));
    await pages.service.post(event('unknown-b', 'T-2', 'b2', 'x.happened'));
    await page.clock.install();
    await visitor.open('/dead-letters');
    const group = page.locator('.group', { hasText: 'no such model: unknown-b' });
    await group.getByRole('button', { name: 'Delete all 2' }).click();
    const { body } = await pages.service.ask<{ deadLetters: { id: string; eventId: string }[] }>(
      '/api/dead-letters',
    );
    const { id } = body.deadLetters.find(({ eventId }) => eventId === 'b1')!;
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/dead-letters?')) requests++;
    });
    const path = `/api/dead-letters/${encodeURIComponent(id)}`;
    await fetch(pages.service.ready.api + path, { method: 'DELETE' });
    await page.clock.runFor(10_000);
    expect(requests).toBe(0);
    await page.keyboard.press('Escape');
    await group.getByRole('button', { name: 'Delete all 2' }).waitFor({ state: 'detached' });
    expect(await group.locator('details').count()).toBe(1);
  });

  it('remove the message of an action when another dialog opens, so that the same message is announced again', async () => {
    await using visitor = await pages.openWindow();
    const { page, dialog } = visitor;
    await pages.service.post(event('unknown-d', 'T-1', 'd1', 'x.happened'));
    await pages.service.post(event('unknown-e', 'T-1', 'e1', 'x.happened'));
    await visitor.open('/dead-letters');
    const group = (model: string) =>
      page.locator('.group', { hasText: `no such model: unknown-${model}` });
    await group('d').getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await visitor.see('Deleted the dead letter.');
    await group('e').getByRole('button', { name: 'Delete' }).click();
    expect(await page.locator('.said').textContent()).toBe('');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await visitor.see('Deleted the dead letter.');
  });

  it('link parked events to their instances', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    const deadLetters = ['P-1', 'P-2'].map((transactionId) => ({
      id: transactionId,
      reason: 'an earlier event of the instance is parked',
      at: new Date().toISOString(),
      modelId: 'activation',
      transactionId,
      eventId: `${transactionId}-a`,
      parked: true,
    }));
    await page.route('**/api/dead-letters?*', (route) => route.fulfill({ json: { deadLetters } }));
    await visitor.open('/dead-letters');
    const link = visitor.link('Show instance activation/P-2');
    await link.waitFor();
    await expectAccessible(page);
    await link.click();
    await visitor.heading('P-2').waitFor();
    expect(new URL(page.url()).pathname).toBe('/instances/activation/P-2');
  });

  it('search the pages with older dead letters for text', async () => {
    await using visitor = await pages.openWindow();
    const { page } = visitor;
    await pages.service.post(event('unknown-c', 'WANTED-1', 'wanted', 'x.happened'));
    await visitor.open('/dead-letters?q=WANTED-1');
    const wanted = page.locator('summary', { hasText: 'WANTED-1' });
    await wanted.waitFor();
    await pages.service.post(
      ...Array.from({ length: 210 }, (_, i) => event('unknown-c', `T-${i}`, `c${i}`, 'x.happened')),
    );
    await page.getByRole('button', { name: 'Search older dead letters' }).click();
    await wanted.waitFor();
    expect(page.url()).toContain('cursor=');
    await visitor.open('/dead-letters');
    await page
      .getByRole('button', { name: /^Delete all \d+$/ })
      .first()
      .click();
    await visitor.dialog
      .getByText("npx milepost dead-letters delete --reason 'no such model: unknown-c'")
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('Contains').fill('no such text');
    await page.getByRole('button', { name: 'Search older dead letters' }).click();
    await page.getByText(/^None of the \d+ older dead letters contains this text\.$/).waitFor();
    await expectAccessible(page);
  });
});
