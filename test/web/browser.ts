import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of an installed browser, or undefined if the PATH contains none. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Starts the browser without a sandbox, because in containers, tests often run as root, which the sandbox does not
 * support.
 */
export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, chromiumSandbox: false });
}

/** Waits until an assertion passes. Unlike `expect.poll`, this function also works in concurrent tests. */
export function eventually(assertion: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 10_000, interval: 50 });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Expects a page to meet WCAG 2.2 AA and the best practices of axe.
 *
 * @param rules the rules of axe to check. Default: all rules.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // While data is loading, the earlier data is dimmed.
  await page.locator('.stale').first().waitFor({ state: 'detached' });
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const shown = violations.map(({ id, nodes }) => [
    id,
    ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  ]);
  expect({ page: page.url(), violations: shown }).toEqual({ page: page.url(), violations: [] });
}

/** Expects a page not to overflow the window horizontally. */
export async function expectNoHorizontalScrolling(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate<Record<string, number>>(
    '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
  );
  const fits = scrollWidth! <= clientWidth!;
  expect({ page: page.url(), fits }).toEqual({ page: page.url(), fits: true });
}

/** Returns true if a part of a scrollable region is in view. */
export async function isInView(page: Page, part: string, region: string): Promise<boolean> {
  const [inner, outer] = await Promise.all(
    [part, region].map((each) => page.locator(each).boundingBox()),
  );
  if (!inner || !outer) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}

/** Starts to add up the layout shifts of a page. Returns a function that reads the sum. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return () => page.evaluate<number>('window.shifts');
}
