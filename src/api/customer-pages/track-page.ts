import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Eta } from '../../core/status/eta.ts';
import type { MilestoneState, MilestoneView } from '../../core/status/milestones.ts';

/** The content of a customer status page. */
export interface TrackPageContent {
  readonly title: string;
  /** Empty until the first event is applied. */
  readonly status: string;
  readonly done: boolean;
  /** 0 to 1; null if unknown. */
  readonly progress: number | null;
  /** The event time of the event that set the status, RFC 3339 in UTC; null until the first event is applied. */
  readonly since: string | null;
  readonly milestones: readonly MilestoneView[];
  readonly eta: readonly Eta[];
}

const milestoneSigns: Readonly<Record<MilestoneState, { sign: string; text: string }>> = {
  reached: { sign: '✓', text: 'done' },
  current: { sign: '●', text: 'next' },
  pending: { sign: '○', text: 'upcoming' },
  // Whether a promise may be broken is not for customers.
  'at-risk': { sign: '●', text: 'next' },
  late: { sign: '!', text: 'delayed' },
  skipped: { sign: '–', text: 'not needed' },
};

/** Renders the page as HTML. */
export function trackPage({
  title,
  status,
  done,
  progress,
  since,
  milestones,
  eta,
}: TrackPageContent) {
  const likely = new Map(eta.map(({ id, p90 }) => [id, p90]));
  const items = milestones.map((each) => milestoneItem(each, likely.get(each.id)));
  const percent = progress === null ? undefined : Math.round(100 * progress);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${status ? `${status} · ` : ''}${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<p class="title">${title}</p>
<h1 role="status">${status || 'No updates yet'}</h1>
${percent === undefined ? '' : html`<progress max="100" value="${percent}" aria-label="Progress">${percent} %</progress>`}
${milestones.length === 0 ? '' : html`<ol>${items}</ol>`}
<p class="note">${since === null ? 'We have received your request.' : html`Since ${moment(since)}.`}
${done ? 'Everything is complete.' : 'This page updates automatically.'}</p>
</main>
<script>${raw(script)}</script>
</body>
</html>
`;
}

/** @param likelyBy the time by which nine of ten instances reach the milestone; `expectedBy` takes precedence. */
function milestoneItem({ label, state, at, expectedBy }: MilestoneView, likelyBy?: string) {
  const { sign, text } = milestoneSigns[state];
  const expectation = () => {
    if (state === 'skipped') return false;
    if (expectedBy !== null) return html`expected by ${moment(expectedBy)}`;
    return likelyBy !== undefined && html`likely by ${moment(likelyBy)}`;
  };
  const when = at === null ? expectation() : moment(at);
  return html`<li class="${state}"><span class="mark" aria-hidden="true">${sign}</span>
<span class="label">${label}</span> <span class="state">${text}${when ? html`, ${when}` : ''}</span></li>`;
}

/** Renders a time in UTC. The page's script rewrites it in the reader's time zone. */
const moment = (time: string) =>
  html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`;

const style = `
:root { color-scheme: light dark; --text: #1c2430; --quiet: #556070; --line: #c9d1db; --good: #17663a; --next: #1a56b0; --late: #a3261b; --back: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #e8edf3; --quiet: #a7b3c2; --line: #3b4756; --good: #6fd39b; --next: #8ab8ff; --late: #ff9a8d; --back: #12171e; } }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
.title { margin: 0; color: var(--quiet); }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
progress { width: 100%; height: .6rem; accent-color: var(--next); }
ol { list-style: none; margin: 1.5rem 0; padding: 0; }
li { position: relative; padding: 0 0 1.25rem 2.5rem; }
li:not(:last-child)::before { content: ''; position: absolute; left: .72rem; top: 1.6rem; bottom: 0; border-left: 2px solid var(--line); }
.mark { position: absolute; left: 0; width: 1.5rem; text-align: center; font-weight: 700; color: var(--quiet); }
.label { display: block; font-weight: 600; }
.state, .note { color: var(--quiet); }
.note { font-size: .9rem; }
time { white-space: nowrap; }
.reached .mark { color: var(--good); }
.current .mark, .current .label { color: var(--next); }
.late .mark, .late .state { color: var(--late); }
.pending .label, .skipped .label { font-weight: 400; }
`;

const script = `
const write = () => {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    time.title = time.dateTime;
    time.textContent = format.format(new Date(time.dateTime));
  }
};
let shown = document.querySelector('main').innerHTML;
write();
setInterval(async () => {
  if (document.hidden) return;
  try {
    const response = await fetch(location.href, { cache: 'no-cache' });
    if (response.status === 404) return location.reload();
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const main = page.querySelector('main');
    if (main.innerHTML === shown) return;
    shown = main.innerHTML;
    document.title = page.title;
    document.querySelector('main').replaceWith(main);
    write();
  } catch {
    // If the server cannot be reached, the page keeps its content.
  }
}, 5000);
`;

const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Response headers that block framing, indexing by search engines, and scripts and resources from other origins. */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  [
    'content-security-policy',
    `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['cache-control', 'private, no-cache'],
  // The URL contains the token, so other sites must not receive it.
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-robots-tag', 'noindex'],
];
