import type { StatusView } from '../../src/customer-page/status-view.ts';
import { statusStyle } from '../../src/customer-page/style.ts';
import { toDom } from './to-dom.ts';

const names = ['top', 'status', 'details'] as const;

/**
 * The regions of a view in a shadow root. Updates keep the regions' elements because screen readers announce only
 * changes within an existing live region.
 */
export class Regions {
  readonly #root: ShadowRoot;
  #elements: readonly HTMLElement[] = [];
  /** The content that each region shows, serialized as JSON so that changes can be detected. */
  #shown: readonly string[] = [];

  constructor(root: ShadowRoot) {
    this.#root = root;
  }

  /** Shows a view. Does not touch regions whose content did not change. */
  show(view: StatusView): void {
    if (this.#elements.length === 0) this.#create();
    const next = names.map((name) => JSON.stringify(view[name]));
    for (const [index, name] of names.entries())
      if (next[index] !== this.#shown[index])
        this.#elements[index]!.replaceChildren(...view[name].map(toDom));
    this.#shown = next;
  }

  /** Sets the language of the regions. */
  localize(lang: string, dir: string): void {
    if (this.#elements.length === 0) this.#create();
    for (const element of this.#elements) Object.assign(element, { lang, dir });
  }

  #create(): void {
    this.#elements = names.map((name) => {
      const element = document.createElement('div');
      if (name === 'status') element.setAttribute('role', 'status');
      return element;
    });
    this.#root.replaceChildren(...applyStyle(this.#root), ...this.#elements);
  }
}

/**
 * Applies the style to a shadow root. Returns a style element for browsers without adopted style sheets, such as
 * Safari before version 16.4. The content security policy of another site can block this element.
 */
function applyStyle(root: ShadowRoot): readonly HTMLStyleElement[] {
  if ('adoptedStyleSheets' in root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(statusStyle);
    root.adoptedStyleSheets = [sheet];
    return [];
  }
  const style = document.createElement('style');
  style.textContent = statusStyle;
  return [style];
}
