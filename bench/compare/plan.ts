import { type Order, orders } from '../support/work.ts';
import type { Mode, Side } from './side.ts';

/** A measurement of one system with one workload and one mode of passing events. */
export interface Task {
  readonly side: Side;
  readonly order: Order;
  readonly mode: Mode;
}

/** Plans the tasks, grouped by workload so that measurements to be compared run close together in time. */
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

/** Returns the name of a task for the table, including the mode if it is not the default. */
export const nameOf = ({ side, mode }: Task): string =>
  mode === 'folded' ? `${side.name}, folded by hand` : side.name;
