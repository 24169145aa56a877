import type {
  CustomerMilestone,
  CustomerMilestoneState,
  CustomerStatus,
} from './customer-status.ts';
import { DateWords } from './date-words.ts';
import type { Locale } from './locale.ts';
import { allTexts } from './texts/all-texts.ts';
import { el, type ViewNode } from './view-node.ts';

/** A view of a status, divided into regions so that a browser replaces only the regions that changed. */
export interface StatusView {
  readonly top: readonly ViewNode[];
  /** A live region: screen readers announce its changes. */
  readonly status: readonly ViewNode[];
  readonly details: readonly ViewNode[];
}

/** A view's inputs in addition to the status. */
export interface ViewOptions {
  readonly locale: Locale;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** The level of the heading with the status, 1 to 6. */
  readonly headingLevel: number;
  /**
   * The IANA time zone of the times. The server sets this option because it does not know the customer's time zone.
   * Default: the browser's zone.
   */
  readonly timeZone?: string;
  /** When the status was last loaded, RFC 3339; undefined unless the latest update failed. */
  readonly staleSince?: string;
}

const signs: Readonly<Record<CustomerMilestoneState, string>> = {
  reached: '✓',
  current: '●',
  pending: '',
  late: '!',
  skipped: '–',
};

/** Builds the view of an instance's status, with its milestones and dates. */
export function statusView(status: CustomerStatus, options: ViewOptions): StatusView {
  const { locale, headingLevel, now, timeZone, staleSince } = options;
  const texts = allTexts[locale.language];
  const words = new DateWords(locale, now, timeZone);
  const { title, reference, progress, milestones } = status;
  const percent = progress === null ? undefined : String(Math.round(100 * progress));
  return {
    top: [
      el('p', { class: 'title', part: 'title' }, isolated(title)),
      ...(reference === null
        ? []
        : [
            el(
              'p',
              { class: 'reference', part: 'reference' },
              `${texts.reference} `,
              isolated(reference),
            ),
          ]),
    ],
    status: [
      el(`h${headingLevel}`, { part: 'status' }, isolated(status.status ?? texts.noUpdates)),
    ],
    details: [
      ...(percent === undefined
        ? []
        : [
            el('progress', {
              max: '100',
              value: percent,
              'aria-label': texts.progress,
              part: 'progress',
            }),
          ]),
      ...(milestones.length === 0
        ? []
        : [
            // Safari drops the semantics of a list without bullets unless the list has the role `list`.
            el(
              'ol',
              { role: 'list', part: 'milestones' },
              ...milestones.map((each) => milestoneItem(each, texts.states, words)),
            ),
          ]),
      noteOf(status, words, options),
      ...(staleSince === undefined
        ? []
        : [
            el(
              'p',
              { class: 'problem', part: 'problem', role: 'status' },
              texts.stale(words.at(staleSince)),
            ),
          ]),
    ],
  };
}

/**
 * Builds the note that says when the status was set and whether the page updates automatically. A page without scripts
 * does not update and shows times in UTC.
 */
function noteOf(
  { since, done }: CustomerStatus,
  words: DateWords,
  { locale, timeZone }: ViewOptions,
): ViewNode {
  const texts = allTexts[locale.language];
  const updated =
    since === null ? [] : [momentOf(since, texts.updated(words.at(since)), words), ' '];
  const next = () => {
    if (done) return texts.final;
    return timeZone === undefined
      ? texts.updatesAutomatically
      : el('noscript', {}, texts.withoutScript);
  };
  return el('p', { class: 'note', part: 'note' }, ...updated, next());
}

/** Returns the title of a page that shows a status. */
export const titleOf = ({ status, title }: CustomerStatus): string =>
  status === null ? title : `${status} · ${title}`;

/** Builds the view of a message in place of a status. */
export const messageView = (message: string): StatusView => ({
  top: [],
  status: [el('p', { class: 'message', part: 'message' }, message)],
  details: [],
});

function milestoneItem(
  { label, state, at, expectedBy, likelyBy }: CustomerMilestone,
  stateNames: Readonly<Record<CustomerMilestoneState, string>>,
  words: DateWords,
): ViewNode {
  const when = () => {
    if (at !== null) return momentOf(at, words.at(at), words);
    if (expectedBy !== null) return momentOf(expectedBy, words.expected(expectedBy), words);
    return likelyBy === null ? undefined : momentOf(likelyBy, words.likely(likelyBy), words);
  };
  const moment = when();
  return el(
    'li',
    { class: state },
    el('span', { class: 'mark', 'aria-hidden': 'true' }, signs[state]),
    el('span', { class: 'label' }, isolated(label)),
    ' ',
    el('span', { class: 'state' }, stateNames[state], moment && ' · ', moment),
  );
}

/** Isolates the model's text because its direction can differ from that of the page. */
const isolated = (text: string) => el('bdi', {}, text);

const momentOf = (time: string, text: string, words: DateWords) =>
  el('time', { datetime: time, title: words.exact(time) }, text);
