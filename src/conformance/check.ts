import { messageOf } from '../common/message-of.ts';

export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  /** The reason for the failure; undefined if the check passed. */
  readonly detail?: string;
}

/** A check of a model function. */
export interface Check {
  /** The checked behavior as a verb phrase, or the name of the played sample. */
  readonly name: string;
  /**
   * Runs the check.
   *
   * @throws Error with the actual behavior if the check fails.
   */
  run(): Promise<void>;
}

/** Runs a check and returns its failure instead of throwing it. */
export async function runCheck(check: Check): Promise<CheckResult> {
  const { name } = check;
  try {
    await check.run();
    return { name, outcome: 'passed' };
  } catch (error) {
    return { name, outcome: 'failed', detail: messageOf(error) };
  }
}

/** Formats a value as JSON, truncated for messages. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
