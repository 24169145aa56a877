import { unixSeconds } from 'milepost';

/** The steps of a work item, in order. */
export const steps = ['start', 'todo', 'provision', 'entitlement', 'end'] as const;

/** The work of activating a service on a device. Times are in seconds since 1970. */
export interface WorkItem {
  readonly queue: string;
  readonly service: string;
  readonly device: string;
  readonly token: string;
  readonly last_step: (typeof steps)[number];
  /**
   * When the latest attempt was made or, in the step `end`, when the work ended. The value is the time of the event
   * that caused the attempt or ended the work, and it never decreases.
   */
  readonly ts: number;
  /** The number of attempts for the step. */
  readonly attempts: number;
  /** The number of attempts that activation rejected; omitted if there are none. */
  readonly rejected?: number;
  /** The latest reason for a rejection; omitted if there is none. */
  readonly reason?: string;
  /** True if the last attempt of the step had no outcome in time. */
  readonly stuck?: true;
}

/** The work item before the first event. */
export const noWork: WorkItem = {
  queue: 'new-device',
  service: '',
  device: '',
  token: '',
  last_step: 'start',
  ts: 0,
  attempts: 0,
};

/** Returns a work item in the same step without attempts, rejections, or the status `Stuck`. */
export const withoutAttempts = ({
  rejected: _rejected,
  reason: _reason,
  stuck: _stuck,
  ...item
}: WorkItem): WorkItem => ({ ...item, attempts: 0 });

/**
 * Returns true if activation rejected all attempts of a step. An attempt without an outcome may have been applied, and
 * activation may reject the other attempts for that reason.
 */
export const hasFailed = ({ attempts, rejected = 0 }: WorkItem) =>
  rejected > 0 && rejected >= attempts;

/**
 * Returns the time of an event, or the time of the work item if that is later. The outcome of an earlier attempt has an
 * earlier time, but the time of a work item must never decrease.
 */
export const later = ({ ts }: WorkItem, time: string) =>
  ts > unixSeconds(time) ? new Date(ts * 1000).toISOString() : time;
