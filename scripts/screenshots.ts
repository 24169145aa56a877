import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { startDemo } from '../src/local/demo/start-demo.ts';
import { readSettings } from '../src/local/settings/settings.ts';
import { startStack } from '../src/local/stack.ts';

/*
 * Writes docs/screenshots/*.png from a service in memory with demo data. The environment variable CHROMIUM can set the
 * path of the browser, by default `/usr/bin/chromium`, and SCREENSHOTS can set another output folder.
 */
const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const settings = readSettings({
  MILEPOST_DATA: '',
  MILEPOST_PORT: '0',
  MILEPOST_KINESIS_PORT: '0',
  MILEPOST_DYNAMODB_PORT: '0',
  MILEPOST_LAMBDA_PORT: '0',
  MILEPOST_EVENTBRIDGE_PORT: '0',
  MILEPOST_DEMO: 'on',
});
await using stack = await startStack(settings, { env: process.env, log: () => undefined });
const { api } = stack.ready;
const isSent = Promise.withResolvers<void>();
await using _ = startDemo(stack.ready, (line) => {
  if (line.startsWith('Demo: sent')) isSent.resolve();
});
await isSent.promise;

interface Instance {
  readonly transaction: string;
  readonly status: string;
}
const get = async <Body>(path: string) => (await (await fetch(api + path)).json()) as Body;

/** Waits until the service has processed the events, then returns the path of a request that waited for documents. */
async function findShown(): Promise<string> {
  let total = 0;
  for (let before = -1; total !== before || total === 0; await pause(2_000)) {
    before = total;
    ({ total } = await get<{ total: number }>('/api/instances'));
  }
  const scheduled = '/api/instances?model=service-request&status=Scheduled&limit=100';
  const { instances } = await get<{ instances: readonly Instance[] }>(scheduled);
  for (const { transaction } of instances) {
    const path = `/instances/service-request/${transaction}`;
    const { deadlines } = await get<{ deadlines: readonly { id: string; pauses: unknown[] }[] }>(
      `/api${path}/deadlines`,
    );
    if (deadlines.some(({ id, pauses }) => id === 'fulfilled' && pauses.length > 0)) return path;
  }
  throw new Error('the demo has no scheduled request that waited for documents');
}
const shown = await findShown();

/** Creates a link to the page that the customer of an instance sees. */
async function createLink(path: string): Promise<string> {
  const [, , model, transaction] = path.split('/');
  const response = await fetch(`${api}/api/links`, {
    method: 'POST',
    body: JSON.stringify({ model, transaction }),
  });
  return new URL(((await response.json()) as { url: string }).url).pathname;
}
const customerPage = await createLink(shown);

const wide = { viewport: { width: 1280, height: 1000 } };
const pictures: [name: string, path: string, options: BrowserContextOptions][] = [
  ['instance', shown, wide],
  ['instance-dark', shown, { ...wide, colorScheme: 'dark' }],
  ['customer-page', customerPage, { viewport: { width: 360, height: 780 } }],
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
});
for (const [name, path, options] of pictures) {
  const page = await browser.newPage({ ...options, locale: 'en-GB', timezoneId: 'UTC' });
  await page.goto(api + path);
  await page.locator('main:has(.card, table, milepost-status):not(:has(.waiting))').waitFor();
  if (path === shown) {
    await page.locator('.diagram svg').waitFor();
    await page.locator('.deadlines').waitFor();
    await page.getByText('Loading…').waitFor({ state: 'detached' });
  }
  if (path === customerPage) await page.getByText('updates automatically').waitFor();
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(`${file}  ${(await stat(file)).size} bytes`);
  await page.close();
}
await browser.close();
