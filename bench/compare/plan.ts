import { type Order, orders } from '../support/work.ts';
import type { Mode, Side } from './side.ts';

/** One side doing one work in one way. */
export interface Task {
  readonly side: Side;
  readonly order: Order;
  readonly mode: Mode;
}

/** What is to be measured, sides that are compared being close to each other in time. */
export function plan(sides: readonly Side[], wanted: ReadonlySet<string>): Task[] {
  return orders
    .filter((order) => wanted.size === 0 || wanted.has(order))
    .flatMap((order) =>
      sides.flatMap((side) =>
        (['each', 'folded'] as const)
          .filter((mode) => side.does(order, mode))
          .map((mode) => ({ side, order, mode })),
      ),
    );
}

/** What a side is called in the table, with how it is given the events where that is special. */
export const nameOf = ({ side, mode }: Task): string =>
  mode === 'folded' ? `${side.name}, folded by hand` : side.name;
