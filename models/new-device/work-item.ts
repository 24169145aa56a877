import { unixSeconds } from 'milepost';

/** The steps of a work item, in order. */
export const steps = ['start', 'todo', 'provision', 'entitlement', 'end'] as const;

/** A device on its way to a service; times in seconds since 1970. */
export interface WorkItem {
  readonly queue: string;
  readonly service: string;
  readonly device: string;
  readonly token: string;
  readonly last_step: (typeof steps)[number];
  /** When the step was sent last; for the end, when it was reached. */
  readonly ts: number;
  /** How often the step was sent. */
  readonly attempts: number;
  /** How many of these attempts activation rejected, and why; left out while it rejected none. */
  readonly rejected?: number;
  readonly reason?: string;
  /** True when the last attempt had no outcome in time either. */
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

/** The item without what was tried so far. */
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
 * Whether a step has failed: each of its attempts is rejected. Where there are several, one may have
 * got through and be what the others are rejected for, and its outcome is still to come.
 */
export const hasFailed = ({ attempts, rejected = 0 }: WorkItem) =>
  rejected > 0 && rejected >= attempts;

/**
 * When an event counts as having happened: what answers an earlier attempt tells an earlier time, and
 * an item does not go back in time.
 */
export const later = ({ ts }: WorkItem, time: string) =>
  ts > unixSeconds(time) ? new Date(ts * 1000).toISOString() : time;
