import { messageOf } from '../common/message-of.ts';

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  /** The reason of a failure. */
  readonly detail?: string;
}

/** A check of a model function. */
export interface Check {
  /** The behavior of a function that passes. */
  readonly name: string;
  /** @throws Error that describes the wrong behavior. */
  run(): Promise<void>;
}

/** Runs a check. */
export async function runCheck(check: Check): Promise<CheckResult> {
  const { name } = check;
  try {
    await check.run();
    return { name, outcome: 'passed' };
  } catch (error) {
    return { name, outcome: 'failed', detail: messageOf(error) };
  }
}

/** Formats a value for a message, truncated to 300 characters. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
