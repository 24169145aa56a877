import { useEffect, useState } from 'preact/hooks';
import { sentence } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import type { Session } from './session.ts';

/** The page for users who are not logged in. */
export function LoginPage({ session }: { readonly session: Extract<Session, { kind: 'out' }> }) {
  const [why, setWhy] = useState(session.why);
  const [busy, setBusy] = useState(session.isEnding ?? false);
  // The element with the focus is gone after a session expires.
  useEffect(() => {
    if (session.why) document.getElementById('main')?.focus({ preventScroll: true });
  }, []);
  const begin = async () => {
    setBusy(true);
    setWhy('Opening the login…');
    try {
      await session.login.begin();
    } catch (error) {
      setBusy(false);
      setWhy(`Cannot start the login: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <>
      <Title text="Log in" />
      <div class="empty">
        <p role="status">{sentence(why ?? 'Log in to see your processes.')}</p>
        <button type="button" class="main" disabled={busy} onClick={() => void begin()}>
          Log in
        </button>
      </div>
    </>
  );
}
