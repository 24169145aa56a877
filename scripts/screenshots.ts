import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { readSettings } from '../src/local/settings/settings.ts';
import { startStack } from '../src/local/stack.ts';
import { setScene, shown } from './screenshots/scene.ts';

/*
 * Writes docs/screenshots/*.png from a service in memory. The environment variable CHROMIUM contains the path of the
 * browser. Default: `/usr/bin/chromium`.
 */
const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const settings = readSettings({
  MILEPOST_DATA: '',
  MILEPOST_PORT: '0',
  MILEPOST_KINESIS_PORT: '0',
  MILEPOST_DYNAMODB_PORT: '0',
  MILEPOST_LAMBDA_PORT: '0',
  MILEPOST_EVENTBRIDGE_PORT: '0',
});
await using stack = await startStack(settings, { env: process.env, log: () => undefined });
await setScene(stack.ready);

const wide = { viewport: { width: 1280, height: 800 } };
const narrow = { viewport: { width: 360, height: 780 } };
const pictures: [name: string, path: string, options: BrowserContextOptions][] = [
  ['overview', '/', wide],
  ['instances', '/instances', wide],
  ['instance', shown, { viewport: { width: 1280, height: 960 } }],
  ['instance-dark', shown, { viewport: { width: 1280, height: 960 }, colorScheme: 'dark' }],
  ['dead-letters-dark', '/dead-letters', { ...wide, colorScheme: 'dark' }],
  ['instance-narrow', shown, narrow],
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
});
for (const [name, path, options] of pictures) {
  const page = await browser.newPage({ ...options, locale: 'en-GB', timezoneId: 'UTC' });
  await page.goto(stack.ready.api + path);
  await page.locator('main:has(.card, table):not(:has(.waiting))').waitFor();
  if (path.startsWith(shown)) await page.locator('.diagram svg').waitFor();
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(`${file}  ${(await stat(file)).size} bytes`);
  await page.close();
}
await browser.close();
