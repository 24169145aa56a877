import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { holdUpdates } from '../api/hold-updates.ts';
import { useRefusal } from '../login/session.ts';
import { sentence } from './states.tsx';

/** Shows an action's progress. Throws an error if the user stopped the action or left the page. */
export type Report = (done: number, all: number) => void;

/**
 * A button that asks for confirmation, runs an action, and reports the result. The dialog stays open while the action
 * runs. An action that reports its progress can be stopped, and stops when the user leaves the page.
 *
 * @param run runs the action and returns a message for the user.
 */
export function Action({
  label,
  title,
  danger = false,
  isReady = true,
  isRead = false,
  opened,
  children,
  run,
  said,
}: {
  readonly label: string;
  readonly title: string;
  readonly danger?: boolean;
  /** False while the confirm button must stay disabled. */
  readonly isReady?: boolean;
  /** True if the action changes nothing so that every user may run it. */
  readonly isRead?: boolean;
  /** Called when the dialog opens. */
  readonly opened?: () => void;
  /** The explanation in the confirmation dialog. */
  readonly children: ComponentChildren;
  readonly run: (report: Report) => Promise<string>;
  /** Called with the message to show after the action, and with an empty text when the dialog opens. */
  readonly said: (text: string) => void;
}) {
  const needed = useRefusal();
  const refusal = isRead ? undefined : needed;
  const opener = useRef<HTMLButtonElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState('');
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();
  const stopped = useRef(false);
  const report: Report = (done, all) => {
    if (stopped.current) throw new Error(`Stopped after ${done} of ${all}.`);
    setProgress({ done, all });
  };

  useEffect(() => {
    if (!progress) return;
    // Warn the user before the page closes because closing the page would interrupt the action.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [progress]);

  useEffect(() => {
    if (!open) return;
    holdUpdates(true);
    return () => {
      stopped.current = true;
      holdUpdates(false);
    };
  }, [open]);

  // When the dialog closes, the focus returns to the button. If the action then removes the button, for example with the
  // row of a deleted item, the focus moves to the start of the content instead of getting lost.
  useLayoutEffect(
    () => () => {
      if (opener.current === document.activeElement)
        document.getElementById('main')?.focus({ preventScroll: true });
    },
    [],
  );

  const show = () => {
    setWrong('');
    // Remove the message of an earlier action, because screen readers do not announce the same text again.
    said('');
    opened?.();
    setOpen(true);
    dialog.current?.showModal();
  };
  const confirm = async () => {
    setBusy(true);
    // The focused button becomes disabled, and without focus, the dialog would not receive key presses.
    dialog.current?.focus();
    setWrong('');
    stopped.current = false;
    try {
      const text = await run(report);
      dialog.current?.close();
      said(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // Some browsers let the user close the dialog of a running action.
      if (dialog.current?.open) setWrong(message);
      else said(message);
    } finally {
      setBusy(false);
      setProgress(undefined);
    }
  };

  return (
    <>
      <button
        ref={opener}
        type="button"
        class={danger ? 'danger' : ''}
        disabled={refusal !== undefined}
        title={refusal}
        onClick={show}
      >
        {label}
        {refusal ? <span class="hidden"> ({refusal})</span> : null}
      </button>
      {/* Read the dialog's state because the close event is asynchronous and the dialog may already be open again. */}
      <dialog
        ref={dialog}
        aria-label={title}
        tabIndex={-1}
        onKeyDown={(event) => busy && event.key === 'Escape' && event.preventDefault()}
        onClose={() => setOpen(dialog.current?.open ?? false)}
      >
        {open && (
          <>
            <h2>{title}</h2>
            {children}
            {wrong && (
              <p class="wrong" role="alert">
                {sentence(wrong)}
              </p>
            )}
            {progress && (
              <p class="progress">
                <progress max={progress.all} value={progress.done} aria-label="Progress" />
                <span class="number">
                  {progress.done} of {progress.all}
                </span>
              </p>
            )}
            <div class="buttons">
              {progress ? (
                <button
                  type="button"
                  onClick={() => {
                    stopped.current = true;
                  }}
                >
                  Stop
                </button>
              ) : (
                <button type="button" disabled={busy} onClick={() => dialog.current?.close()}>
                  Cancel
                </button>
              )}
              <button
                type="button"
                class={danger ? 'main danger' : 'main'}
                disabled={busy || !isReady}
                onClick={() => void confirm()}
              >
                {busy ? 'Working…' : label}
              </button>
            </div>
          </>
        )}
      </dialog>
    </>
  );
}

/** The message that an action returned, as a live region. */
export function ActionMessage({ text }: { readonly text: string }) {
  return (
    <p class={text ? 'said' : 'said hidden'} role="status">
      {text && sentence(text)}
    </p>
  );
}
