import { messageOf } from '../common/message-of.ts';

/** What a check came to. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  /** Why it failed. */
  readonly detail?: string;
}

/** A check that a model function passes or does not. */
export interface Check {
  /** What the function does where it passes. */
  readonly name: string;
  /** @throws Error that says what it did instead. */
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

/** What of a value is worth showing. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
