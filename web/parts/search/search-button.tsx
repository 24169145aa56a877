import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * The button in the header that opens the search. The search also opens with `/` outside of text fields, and with
 * Ctrl+K or ⌘K anywhere.
 */
export function SearchButton() {
  const [Dialog, setDialog] = useState<ComponentType<{ closed: () => void }>>();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  useEffect(() => {
    // Load the code of the dialog when the user first opens it. If loading fails, the user can retry.
    if (isOpen && !Dialog)
      import('./search-dialog.tsx').then(
        ({ SearchDialog }) => setDialog(() => SearchDialog),
        () => setOpen(false),
      );
  }, [isOpen, Dialog]);
  return (
    <>
      <button
        type="button"
        class="search"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        Search <kbd aria-hidden="true">/</kbd>
      </button>
      {isOpen && Dialog ? <Dialog closed={() => setOpen(false)} /> : null}
    </>
  );
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if ((ctrlKey || metaKey) && !altKey) return key.toLowerCase() === 'k';
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog');
  return key === '/' && !altKey && !isTyping;
}
