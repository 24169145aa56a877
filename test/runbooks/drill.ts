import type { World } from './world/world.ts';

/**
 * Tests a runbook with a real fault: causes the fault, defines the expected output of the commands under "Look", and
 * checks the result of the commands under "Do".
 */
export interface Drill {
  /** Causes the fault and waits until it is visible. */
  cause(world: World): Promise<void>;
  /** Patterns that the output of the commands under "Look" must match while the fault exists. */
  readonly look: readonly RegExp[];
  /**
   * Returns the actual names, keyed by the names in the page's commands. An operator reads the actual names in the
   * output of "Look".
   */
  names?(world: World): Promise<Readonly<Record<string, string>>>;
  /** Fixes the cause before the commands under "Do" run, as a deployment would. */
  repair?(world: World): Promise<void> | void;
  /** The section whose commands "Do" refers to, if "Do" contains no commands itself. */
  readonly sameAs?: string;
  /** Waits until the fault is gone, and checks that nothing was lost. */
  gone(world: World): Promise<void>;
}
