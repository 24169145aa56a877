const prefixes = { risk: 'risk/', late: 'late/' } as const;

/** The alert that a process's timer raises: a milestone is at risk, or it is late. */
export type Alert = keyof typeof prefixes;

/** Returns the name of the timer that reports a milestone as late when it fires. */
export const lateTimer = (milestone: string) => prefixes.late + milestone;

/** Returns the name of the timer that reports a milestone as at risk when it fires. */
export const riskTimer = (milestone: string) => prefixes.risk + milestone;

/** Returns the alert that a timer raises, and the id of its milestone. */
export function alertOf(timer: string): { readonly alert: Alert; readonly milestone: string } {
  const alert = timer.startsWith(prefixes.risk) ? 'risk' : 'late';
  return { alert, milestone: timer.slice(prefixes[alert].length) };
}
