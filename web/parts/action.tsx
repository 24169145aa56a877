import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useRefusal } from '../login/session.ts';

/**
 * A button that asks for confirmation, runs an action, and reports the result.
 *
 * @param run runs the action and returns a message for the user.
 */
export function Action({
  label,
  title,
  danger = false,
  children,
  run,
  said,
}: {
  readonly label: string;
  readonly title: string;
  readonly danger?: boolean;
  /** The explanation in the confirmation dialog. */
  readonly children: ComponentChildren;
  readonly run: () => Promise<string>;
  /** Called with the message to show after the action. */
  readonly said: (text: string) => void;
}) {
  const refusal = useRefusal();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState('');

  const show = () => {
    setWrong('');
    setOpen(true);
    dialog.current?.showModal();
  };
  const confirm = async () => {
    setBusy(true);
    setWrong('');
    try {
      const text = await run();
      dialog.current?.close();
      said(text);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <button
        type="button"
        class={danger ? 'danger' : ''}
        disabled={refusal !== undefined}
        title={refusal}
        onClick={show}
      >
        {label}
        {refusal ? <span class="hidden"> ({refusal})</span> : null}
      </button>
      {/* The close event is asynchronous, so the dialog may already be open again. */}
      <dialog
        ref={dialog}
        aria-label={title}
        onClose={() => setOpen(dialog.current?.open ?? false)}
      >
        {open && (
          <>
            <h2>{title}</h2>
            {children}
            {wrong && (
              <p class="wrong" role="alert">
                {wrong}
              </p>
            )}
            <div class="buttons">
              <button type="button" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
              <button
                type="button"
                class={danger ? 'main danger' : 'main'}
                disabled={busy}
                onClick={() => void confirm()}
              >
                {busy ? 'Working …' : label}
              </button>
            </div>
          </>
        )}
      </dialog>
    </>
  );
}

/** The message after an action. */
export function ActionMessage({ text }: { readonly text: string }) {
  return (
    <p class={text ? 'said' : 'said hidden'} role="status">
      {text}
    </p>
  );
}
