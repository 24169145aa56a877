import type { World } from './world/world.ts';

/** A practiced fault: its cause, the expected output of Look, and the checks after Do. */
export interface Drill {
  /** Causes the fault and waits until it shows. */
  cause(world: World): Promise<void>;
  /** Text that the output of Look must contain. */
  readonly look: readonly RegExp[];
  /** Replaces names in the page's commands by those that an operator reads in the output of Look. */
  names?(world: World): Promise<Readonly<Record<string, string>>>;
  /** Fixes the cause before Do, as a deployment would. */
  repair?(world: World): Promise<void> | void;
  /** The section whose commands Do refers to, if it has none itself. */
  readonly sameAs?: string;
  /** Waits until the fault is gone, and checks that nothing was lost. */
  gone(world: World): Promise<void>;
}
