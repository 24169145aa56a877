import { describe, expect, it } from 'vitest';
import type { CustomerMilestone, CustomerStatus } from '../../src/customer-page/customer-status.ts';
import { chooseLocale } from '../../src/customer-page/locale.ts';
import {
  messageView,
  statusView,
  titleOf,
  type ViewOptions,
} from '../../src/customer-page/status-view.ts';
import { toHtml } from '../../src/customer-page/to-html.ts';

const status: CustomerStatus = {
  title: 'Order',
  reference: null,
  status: 'Received',
  done: false,
  progress: null,
  since: null,
  milestones: [],
};
const milestone: CustomerMilestone = {
  label: 'Sent',
  state: 'pending',
  at: null,
  expectedBy: null,
  likelyBy: null,
};
const now = Date.parse('2026-11-24T15:30:00Z');

/** Returns the regions of the view as HTML. */
function html(change: Partial<CustomerStatus>, options: Partial<ViewOptions> = {}) {
  const locale = chooseLocale(['en-GB']);
  const view = statusView(
    { ...status, ...change },
    { locale, now, headingLevel: 2, timeZone: 'UTC', ...options },
  );
  const regions = Object.entries(view).map(([name, nodes]) => [name, nodes.map(toHtml).join('')]);
  return Object.fromEntries(regions) as Record<keyof typeof view, string>;
}

/** Returns the text of a milestone and the symbol in its circle. */
function shown(change: Partial<CustomerMilestone>) {
  const { details } = html({ milestones: [{ ...milestone, ...change }] });
  const [, state, sign] = /<li class="(.*?)"><span class="mark" .*?>(.*?)<\/span>/.exec(details)!;
  const text = /<span class="state">(.*?)<\/span><\/li>/.exec(details)![1]!;
  return { state, sign, text: text.replaceAll(/<.*?>/g, '') };
}

describe('the view of a status', () => {
  it('contains the title and the status as a heading', () => {
    expect(html({})).toEqual({
      top: '<p class="title" part="title"><bdi>Order</bdi></p>',
      status: '<h2 part="status"><bdi>Received</bdi></h2>',
      details:
        '<p class="note" part="note"><noscript>Dates and times are in UTC. Reload the page for updates.</noscript></p>',
    });
  });

  it('contains the reference if there is one', () => {
    expect(html({ reference: 'A-1' }).top).toContain(
      '<p class="reference" part="reference">Reference <bdi>A-1</bdi></p>',
    );
  });

  it('states that there are no updates while all events are parked', () => {
    expect(html({ status: null }).status).toBe('<h2 part="status"><bdi>No updates yet</bdi></h2>');
  });

  it('contains the progress as a percentage', () => {
    expect(html({ progress: 0.29 }).details).toContain(
      '<progress max="100" value="29" aria-label="Progress" part="progress"></progress>',
    );
  });

  it('states when the status was set', () => {
    expect(html({ since: '2026-11-24T14:00:00Z' }).details).toContain(
      'Updated today at 14:00 (UTC).</time> <noscript>',
    );
  });

  it('states whether the status can still change', () => {
    expect(html({ done: true }).details).toContain('>This is the final status.</p>');
    expect(html({}, { timeZone: undefined }).details).toContain(
      '>This status updates automatically.</p>',
    );
  });

  it('states when it was loaded if the latest update failed', () => {
    const { details } = html({}, { staleSince: '2026-11-24T15:00:00Z' });
    expect(details).toContain(
      '<p class="problem" part="problem" role="status">Can’t update right now. This status was loaded today at 15:00 (UTC); we’ll keep trying.</p>',
    );
  });

  it('lists the milestones in order, as a list for screen readers', () => {
    const { details } = html({ milestones: [milestone, { ...milestone, label: 'Paid' }] });
    expect(details).toMatch(/^<ol role="list" part="milestones"><li .*Sent.*<li .*Paid.*<\/ol>/);
  });
});

describe('a milestone in the view', () => {
  const [past, future] = ['2026-11-24T14:00:00Z', '2026-11-25T16:00:00Z'];

  it.each<[Partial<CustomerMilestone>, sign: string, text: string]>([
    [{ state: 'reached', at: past }, '✓', 'done · today at 14:00 (UTC)'],
    [{ state: 'current', expectedBy: future }, '●', 'next · expected tomorrow by 16:00 (UTC)'],
    [{ state: 'pending', likelyBy: future }, '', 'upcoming · probably tomorrow'],
    [{ state: 'pending' }, '', 'upcoming'],
    [{ state: 'late', expectedBy: past }, '!', 'delayed · was expected today by 14:00 (UTC)'],
    [{ state: 'skipped' }, '–', 'not needed'],
  ])('%j has the symbol %j and the text %j', (change, sign, text) => {
    expect(shown(change)).toEqual({ state: change.state, sign, text });
  });
});

describe('the title of the page', () => {
  it('starts with the status, if there is one', () => {
    expect(titleOf(status)).toBe('Received · Order');
    expect(titleOf({ ...status, status: null })).toBe('Order');
  });
});

describe('the view of a message', () => {
  it('contains only the message', () => {
    const { top, status: nodes, details } = messageView('The link has expired.');
    expect([top, details]).toEqual([[], []]);
    expect(nodes.map(toHtml)).toEqual([
      '<p class="message" part="message">The link has expired.</p>',
    ]);
  });
});
