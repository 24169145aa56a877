const prefix = 'late/';

/** The name of the timer that fires when a milestone becomes late. */
export const lateTimer = (milestone: string) => `${prefix}${milestone}`;

/** The id of the milestone that a timer belongs to. */
export const milestoneOf = (timer: string) => timer.slice(prefix.length);
