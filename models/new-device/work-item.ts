import { unixSeconds } from 'milepost';

/** The steps of a work item, in order. */
export const steps = ['start', 'todo', 'provision', 'entitlement', 'end'] as const;

/** The work of bringing a service to a device. Times are in seconds since 1970. */
export interface WorkItem {
  readonly queue: string;
  readonly service: string;
  readonly device: string;
  readonly token: string;
  readonly last_step: (typeof steps)[number];
  /** When the step was last sent; at the end, when the end was reached. */
  readonly ts: number;
  /** The number of times that the step was sent. */
  readonly attempts: number;
  /** The number of attempts that activation rejected, with the latest reason; left out if none. */
  readonly rejected?: number;
  readonly reason?: string;
  /** True if the last attempt had no outcome in time either. */
  readonly stuck?: true;
}

/** The item before the first event. */
export const noWork: WorkItem = {
  queue: 'new-device',
  service: '',
  device: '',
  token: '',
  last_step: 'start',
  ts: 0,
  attempts: 0,
};

/** Resets the attempts of a work item. */
export const afresh = ({ queue, service, device, token, last_step, ts }: WorkItem): WorkItem => ({
  queue,
  service,
  device,
  token,
  last_step,
  ts,
  attempts: 0,
});

/**
 * True if all attempts of a step are rejected. As long as one is open, it may be the one that was applied,
 * which would be why the others were rejected.
 */
export const hasFailed = ({ attempts, rejected = 0 }: WorkItem) =>
  rejected > 0 && rejected >= attempts;

/**
 * The time of an event, but no earlier than the item's own: the answer to an earlier attempt has an earlier
 * time, and an item's time never decreases.
 */
export const later = ({ ts }: WorkItem, time: string) =>
  ts > unixSeconds(time) ? new Date(ts * 1000).toISOString() : time;
