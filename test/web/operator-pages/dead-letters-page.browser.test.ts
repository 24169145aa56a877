import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../browser.ts';
import { operatorPages } from './operator-pages.ts';

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
});
