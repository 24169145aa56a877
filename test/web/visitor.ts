import type { BrowserContext, Page } from 'playwright-core';

/** How long a visitor waits for something to be seen, in milliseconds. */
const patienceMs = 15_000;

/** Somebody who looks at the pages, in a window of their own. */
export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly #origin: string;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  /** @param complaints what the pages must not do goes here: complain, fail, load from elsewhere. */
  static async come(
    context: BrowserContext,
    origin: string,
    complaints: string[],
  ): Promise<Visitor> {
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('console', (message) => {
      // An API that says no, or is not there, is part of the tests.
      const known = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !known) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) complaints.push(`loads ${request.url()}`);
    });
    return new Visitor(page, origin);
  }

  /** A window left open would go on asking. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#origin + path);
  }

  /** Goes on without loading everything again, as a link does. */
  async goInside(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  }

  /** Waits for a text. */
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

  /** The query of the address. */
  get query(): Record<string, string> {
    return Object.fromEntries(new URL(this.page.url()).searchParams);
  }

  /** Waits until as many rows are shown; what is old is not counted. */
  async seeRows(count: number): Promise<void> {
    const table = `[aria-busy=false] tbody:has(> tr:nth-child(${count}):last-child)`;
    await this.page.locator(table).waitFor();
  }

  /** What has the keyboard. */
  focused(member: 'id' | 'textContent'): Promise<string> {
    return this.page.evaluate(`document.activeElement.${member}`);
  }
}
