import type { BrowserContext, Page } from 'playwright-core';

/** The timeout of a visitor's waits, in milliseconds. */
const timeoutMs = 15_000;

/** A user with a browser window. */
export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly #origin: string;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  /** @param violations collects console errors, page errors, and requests to other origins. */
  static async openWindow(
    context: BrowserContext,
    origin: string,
    violations: string[],
  ): Promise<Visitor> {
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    page.on('console', (message) => {
      // Failed requests are ignored, because some tests use failing and unreachable APIs.
      const known = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !known) violations.push(message.text());
    });
    page.on('pageerror', (error) => violations.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) violations.push(`loads ${request.url()}`);
    });
    return new Visitor(page, origin);
  }

  /** Closes the window, which would otherwise keep polling. */
  async [Symbol.asyncDispose](): Promise<void> {
    // The pages poll, so a request may still be in a handler, which would fail after the page is closed.
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.close();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#origin + path);
  }

  /** Navigates like a link, without reloading the page. */
  async navigate(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  }

  /** Waits until the page shows the given text. */
  async see(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  heading(name: string) {
    return this.page.getByRole('heading', { name, exact: true });
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: true });
  }

  link(name: string) {
    return this.page.getByRole('link', { name, exact: true });
  }

  get dialog() {
    return this.page.getByRole('dialog');
  }

  get rows() {
    return this.page.locator('.instances tbody tr');
  }

  get query(): Record<string, string> {
    return Object.fromEntries(new URL(this.page.url()).searchParams);
  }

  /** Waits until the list shows the given number of rows. Ignores a stale list. */
  async seeRows(count: number): Promise<void> {
    const table = `[aria-busy=false] tbody:has(> tr:nth-child(${count}):last-child)`;
    await this.page.locator(table).waitFor();
  }

  /** Returns a property of the focused element. */
  focused(member: 'id' | 'textContent' | 'ariaLabel'): Promise<string> {
    return this.page.evaluate(`document.activeElement.${member}`);
  }
}
