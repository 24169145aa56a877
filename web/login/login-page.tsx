import { useState } from 'preact/hooks';
import { Title } from '../parts/title.tsx';
import type { Session } from './session.ts';

/** What is shown to who is not logged in. */
export function LoginPage({ session }: { readonly session: Extract<Session, { kind: 'out' }> }) {
  const [why, setWhy] = useState(session.why);
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await session.login.begin();
    } catch (error) {
      setBusy(false);
      setWhy(
        `The login does not answer: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  return (
    <>
      <Title text="Log in" />
      <div class="empty">
        <p role="status">{why ?? 'Where each process is now is for those who are logged in.'}</p>
        <button type="button" class="main" disabled={busy} onClick={() => void begin()}>
          Log in
        </button>
      </div>
    </>
  );
}
