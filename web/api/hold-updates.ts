/*
 * Holds back a page's automatic updates while a dialog is open. Otherwise, an update could remove the part of the
 * page that contains the dialog, and with it the result of a running action.
 */

let held = false;
const listeners = new Set<() => void>();

/** Holds back automatic updates, or releases them. */
export function holdUpdates(now: boolean): void {
  held = now;
  if (!held) for (const listener of listeners) listener();
}

/** Returns true while updates are held back. */
export const areUpdatesHeld = (): boolean => held;

/** Calls a function whenever updates are released, until the returned function is called. */
export function onUpdatesReleased(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
