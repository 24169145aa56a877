import type { CustomerStatus } from '../../src/customer-page/customer-status.ts';
import { chooseLocale, type Locale } from '../../src/customer-page/locale.ts';
import {
  messageView,
  type StatusView,
  statusView,
  titleOf,
} from '../../src/customer-page/status-view.ts';
import { allTexts } from '../../src/customer-page/texts/all-texts.ts';
import { el } from '../../src/customer-page/view-node.ts';
import { type LoadResult, loadStatus } from './load-status.ts';
import { Regions } from './regions.ts';
import { toDom } from './to-dom.ts';

/** The intervals between updates, in milliseconds: during the minute after a status change, and from then on. */
const firstInterval = 5_000;
const laterInterval = 30_000;
const changeLength = 60_000;

/** The maximum time between attempts to reach the service, in milliseconds. */
const maximumInterval = 300_000;

/**
 * Shows the status of an instance and updates it while the page is visible. Attributes:
 *
 * - `src`: the link to the instance's status page.
 * - `lang`: the language. Default: the language of the surrounding page or, if there is no translation, of the browser.
 * - `heading-level`: the level of the heading, 1 to 6. Default: 2.
 * - `document-title`: if present, the title of the page contains the status. Default: the title does not change.
 *
 * Until the status is loaded, the element shows its children. It also shows them while `src` is empty or not set.
 */
class MilepostStatus extends HTMLElement {
  static readonly observedAttributes = ['src', 'lang', 'heading-level', 'document-title'];

  readonly #root: ShadowRoot;
  #regions: Regions | undefined;
  /** The latest status, and when it was loaded, in milliseconds since 1970. */
  #latest: { readonly status: CustomerStatus; readonly at: number } | undefined;
  /** When the status last changed, in milliseconds since 1970. */
  #changedAt = 0;
  #problem: Exclude<LoadResult, CustomerStatus> | undefined;
  #failures = 0;
  /**
   * True while the element is connected to the page. If the element is in the page's HTML, its attributes are set
   * before it is connected.
   */
  #isActive = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = new AbortController();

  constructor() {
    super();
    // On Milepost's own status page, the HTML already contains the shadow root.
    this.#root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
  }

  connectedCallback(): void {
    this.#isActive = true;
    document.addEventListener('visibilitychange', this.#resume);
    addEventListener('online', this.#resume);
    if (this.#root.childNodes.length === 0) this.#showLoading();
    void this.#load();
  }

  disconnectedCallback(): void {
    this.#isActive = false;
    document.removeEventListener('visibilitychange', this.#resume);
    removeEventListener('online', this.#resume);
    this.#stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    // The status of one instance must never appear as the status of another.
    if (name === 'src' && before !== null) {
      this.#latest = undefined;
      this.#problem = undefined;
      this.#failures = 0;
      this.#showLoading();
    }
    if (!this.#isActive) return;
    if (name === 'heading-level' || name === 'document-title') return this.#show();
    void this.#load();
  }

  readonly #resume = (): void => {
    if (document.visibilityState === 'visible' && !this.#isFinal) void this.#load();
  };

  /** True if the link is invalid or has expired. Both are permanent. */
  get #isFinal(): boolean {
    return this.#problem === 'not-found' || this.#problem === 'expired';
  }

  get #locale(): Locale {
    const surrounding = this.parentElement?.closest<HTMLElement>('[lang]')?.lang;
    return chooseLocale([this.getAttribute('lang'), surrounding, ...navigator.languages]);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#loading.abort();
  }

  async #load(): Promise<void> {
    this.#stop();
    if (!this.getAttribute('src')) return;
    const { signal } = (this.#loading = new AbortController());
    let result: LoadResult;
    try {
      const link = new URL(this.getAttribute('src')!, document.baseURI);
      result = await loadStatus(link, this.#locale.tag, signal);
    } catch {
      // A request is aborted if the attributes changed or the element was removed. Any other error means that the link
      // is not a valid URL.
      if (signal.aborted) return;
      result = 'not-found';
    }
    this.#keep(result);
    this.#show();
    this.#schedule();
  }

  #keep(result: LoadResult): void {
    if (typeof result === 'string') {
      this.#problem = result;
      this.#failures++;
      return;
    }
    const isChange = JSON.stringify(result) !== JSON.stringify(this.#latest?.status);
    if (isChange) this.#changedAt = Date.now();
    this.#problem = undefined;
    this.#failures = 0;
    this.#latest = { status: result, at: Date.now() };
  }

  #schedule(): void {
    if (this.#isFinal || document.visibilityState !== 'visible') return;
    if (this.#problem === undefined && this.#latest?.status.done) this.#showAgainAtMidnight();
    else this.#timer = setTimeout(() => void this.#load(), this.#delay());
  }

  /** Shows a final status again when the day changes, because its times contain words such as "today". */
  #showAgainAtMidnight(): void {
    const midnight = new Date().setHours(24, 0, 0, 0);
    this.#timer = setTimeout(() => {
      this.#show();
      this.#showAgainAtMidnight();
    }, midnight - Date.now());
  }

  #delay(): number {
    if (this.#failures === 0)
      return Date.now() - this.#changedAt < changeLength ? firstInterval : laterInterval;
    const delay = Math.min(firstInterval * 2 ** this.#failures, maximumInterval);
    // Randomize the delay so that pages that lost their connections at the same time do not all retry at the same
    // time.
    return delay * (0.5 + Math.random() / 2);
  }

  /** Shows the children. Keeps the live region of an earlier status so that the next status is announced. */
  #showLoading(): void {
    const children = el('slot', {}, allTexts[this.#locale.language].loading);
    if (this.#regions) this.#regions.show({ top: [], status: [children], details: [] });
    else this.#root.replaceChildren(toDom(children));
  }

  #show(): void {
    const view = this.#view();
    if (!view) return;
    const { tag, direction } = this.#locale;
    this.#regions ??= new Regions(this.#root);
    this.#regions.localize(tag, direction);
    this.#regions.show(view);
    if (this.hasAttribute('document-title') && this.#latest)
      document.title = titleOf(this.#latest.status);
  }

  #view(): StatusView | undefined {
    const locale = this.#locale;
    const texts = allTexts[locale.language];
    if (this.#problem === 'expired') return messageView(texts.expired);
    if (this.#problem === 'not-found') return messageView(texts.notFound);
    if (this.#latest) {
      const { status, at } = this.#latest;
      const headingLevel = Math.min(
        6,
        Math.max(1, Math.trunc(Number(this.getAttribute('heading-level'))) || 2),
      );
      const staleSince = this.#problem && new Date(at).toISOString();
      return statusView(status, { locale, now: Date.now(), headingLevel, staleSince });
    }
    return this.#problem && messageView(texts.unreachable);
  }
}

if (!customElements.get('milepost-status'))
  customElements.define('milepost-status', MilepostStatus);
