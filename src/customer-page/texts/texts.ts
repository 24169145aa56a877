import type { CustomerMilestoneState } from '../customer-status.ts';

/**
 * The texts of customer pages in one language. A `day` is a phrase such as "tomorrow", or the result of `onDate`. A
 * `time` is the result of `clock`, and `when` is the result of `at`.
 */
export interface Texts {
  /** The time of day, with an article if a sentence needs it, such as "17:00". */
  readonly clock: (time: string) => string;
  /** A date in a sentence: "on Friday, 27 November". */
  readonly onDate: (date: string) => string;
  /** A moment: "today at 17:00". */
  readonly at: (day: string, time: string) => string;
  readonly expected: (day: string) => string;
  readonly expectedBy: (day: string, time: string) => string;
  readonly wasExpected: (day: string) => string;
  readonly wasExpectedBy: (day: string, time: string) => string;
  /** An estimate based on other instances. The text must not read like a promise. */
  readonly likely: (day: string) => string;
  readonly states: Readonly<Record<CustomerMilestoneState, string>>;
  readonly reference: string;
  /** The accessible name of the progress bar. */
  readonly progress: string;
  /** Shown in place of the status if the instance has only parked events. */
  readonly noUpdates: string;
  /** When the status was set. */
  readonly updated: (when: string) => string;
  /** Shown once the process is done, whether it succeeded or was canceled. */
  readonly final: string;
  readonly updatesAutomatically: string;
  /** Shown if the browser does not run the page's script. */
  readonly withoutScript: string;
  readonly loading: string;
  /**
   * Shown for links that do not exist, were revoked, or are damaged. The server also shows this text for expired links.
   */
  readonly notFound: string;
  readonly expired: string;
  /** Shown if the status could not be loaded yet. */
  readonly unreachable: string;
  /** Shown with the last known status if no update has succeeded since `when`. */
  readonly stale: (when: string) => string;
}

/** Returns true if a time is between 1:00 and 1:59, for which some languages use the singular. */
export const isOneOClock = (time: string): boolean => /^0?1\D/.test(time);
