import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { CustomerStatus } from '../../customer-page/customer-status.ts';
import type { Locale } from '../../customer-page/locale.ts';
import { type StatusView, statusView, titleOf } from '../../customer-page/status-view.ts';
import { statusStyle } from '../../customer-page/style.ts';
import { allTexts } from '../../customer-page/texts/all-texts.ts';
import { toHtml } from '../../customer-page/to-html.ts';
import { el } from '../../customer-page/view-node.ts';

/** The level of the heading that contains the status. */
const headingLevel = 1;

/**
 * Renders the page as HTML, with times in UTC. In the browser, `<milepost-status>` replaces the content, shows times in
 * the customer's time zone, and keeps the status up to date. If scripts are turned off, the rendered content remains.
 *
 * @param now milliseconds since 1970.
 * @param script the address of the module that defines `<milepost-status>`.
 */
export function trackPage(status: CustomerStatus, locale: Locale, now: number, script: string) {
  const view = statusView(status, { locale, now, headingLevel, timeZone: 'UTC' });
  return pageOf(
    titleOf(status),
    locale,
    html`<milepost-status src="#" heading-level="${headingLevel}" document-title><template shadowrootmode="open"><style>${raw(statusStyle)}</style>${raw(regions(view))}</template></milepost-status>
<script type="module" src="${script}"></script>`,
  );
}

/** Renders the page for an invalid link, without revealing why the link is invalid. */
export const missingPage = (locale: Locale) => {
  const { notFound } = allTexts[locale.language];
  return pageOf(notFound, locale, html`<h1>${notFound}</h1>`);
};

const pageOf = (title: string, { tag, direction }: Locale, content: ReturnType<typeof html>) =>
  html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(pageStyle)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

/** Renders a view's regions with the same structure as `<milepost-status>`, which then updates them. */
const regions = ({ top, status, details }: StatusView) =>
  [el('div', {}, ...top), el('div', { role: 'status' }, ...status), el('div', {}, ...details)]
    .map(toHtml)
    .join('');

const pageStyle = `
:root { color-scheme: light dark; }
body { margin: 0; background: #fff; color: #1c2430; font: 1rem/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { body { background: #12171e; color: #e8edf3; } }
main { max-width: 32rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.25rem; }
`;

const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/**
 * Response headers that block framing, indexing by search engines, and scripts and resources from other origins.
 * Trusted Types ensure that the page never converts text to markup.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  [
    'content-security-policy',
    `default-src 'none'; style-src ${digest(pageStyle)} ${digest(statusStyle)}; script-src 'self'; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ],
  ['cache-control', 'private, no-cache'],
  // The URL contains the token, so other sites must not receive it.
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-robots-tag', 'noindex'],
];
