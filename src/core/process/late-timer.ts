const prefix = 'late/';

/** The name of the timer that runs until a milestone is late. */
export const lateTimer = (milestone: string) => `${prefix}${milestone}`;

/** The milestone whose timer has this name. */
export const milestoneOf = (timer: string) => timer.slice(prefix.length);
