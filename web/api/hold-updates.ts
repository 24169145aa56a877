/*
 * Holds back the automatic updates of a page while a dialog is open. Otherwise, an update could remove the part of the
 * page that contains the dialog, and with it the result of a running action.
 */

let holders = 0;
const listeners = new Set<() => void>();

/** Holds back automatic updates until the returned function is called. */
export function holdUpdates(): () => void {
  holders++;
  return () => {
    holders--;
    if (holders === 0) for (const listener of listeners) listener();
  };
}

/** Returns true while updates are held back. */
export const areUpdatesHeld = (): boolean => holders > 0;

/** Calls a function whenever updates are no longer held back, until the returned function is called. */
export function onUpdatesReleased(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
