/** The state of a checked part. `unknown` means that the check could not be completed. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'unknown';

/** The result of a check. */
export interface Finding {
  readonly state: CheckState;
  /** The finding in words: a sentence without a final period. */
  readonly detail: string;
  /** Shell commands that fix the problem or show its cause, one per line; null if there is no remedy. */
  readonly remedy: string | null;
}

/** A check of one part of the service. Checks change nothing. */
export interface Check {
  readonly id: string;
  readonly run: () => Promise<Finding>;
}

const finding =
  (state: CheckState) =>
  (detail: string, remedy: string | null = null): Finding => ({ state, detail, remedy });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');
export const unknown = finding('unknown');
