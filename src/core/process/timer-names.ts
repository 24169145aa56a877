const prefixes = { risk: 'risk/', late: 'late/' } as const;

/** The report of a timer of a process: that a milestone is at risk, or that it is late. */
export type Alert = keyof typeof prefixes;

/** The name of the timer that fires when a milestone becomes late. */
export const lateTimer = (milestone: string) => prefixes.late + milestone;

/** The name of the timer that fires when a milestone is at risk. */
export const riskTimer = (milestone: string) => prefixes.risk + milestone;

/** Returns the report of a timer, and the id of its milestone. */
export function alertOf(timer: string): { readonly alert: Alert; readonly milestone: string } {
  const alert = timer.startsWith(prefixes.risk) ? 'risk' : 'late';
  return { alert, milestone: timer.slice(prefixes[alert].length) };
}
