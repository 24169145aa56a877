import type { Entry, Milestone } from '../api/types.ts';

type Labels = readonly Pick<Milestone, 'id' | 'label'>[];

/** The prefixes of the names of deadline timers, each with the words that describe the timer's event. */
const alerts = { 'late/': 'is late', 'risk/': 'is at risk' } as const;

/**
 * Returns the title of an event in the model's words: `Shipped is late` for a deadline's timer, `Timer reminder` for
 * another timer, and `Shipped` for the event that reports this milestone. The title of any other event is its type.
 */
export function eventTitle({ type, data }: Entry['event'], milestones: Labels): string {
  const { name, milestone } = (data ?? {}) as {
    readonly name?: unknown;
    readonly milestone?: unknown;
  };
  const label = (id: unknown) => milestones.find((each) => each.id === id)?.label;
  if (type === 'timer.fired' && typeof name === 'string') {
    for (const [beginning, words] of Object.entries(alerts)) {
      const reported = name.startsWith(beginning) && label(name.slice(beginning.length));
      if (reported) return `${reported} ${words}`;
    }
    return `Timer ${name}`;
  }
  return (type === 'milestone.reached' && label(milestone)) || type;
}
