import type { ComponentChildren } from 'preact';
import { RequestError } from '../api/request-json.ts';

/** What is shown where there is nothing, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong, and another try. */
export function Failed({
  failure,
  retry,
  children,
}: {
  readonly failure: Error;
  readonly retry: () => void;
  /** What else there is to do. */
  readonly children?: ComponentChildren;
}) {
  const title =
    failure instanceof RequestError && failure.status === 404 ? 'Not there' : 'That did not work';
  return (
    <div class="empty" role="alert">
      <h2>{title}</h2>
      <p>{sentence(failure.message)}</p>
      {children}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** A message as a sentence, with the names that it has in backticks as code. */
function sentence(text: string): ComponentChildren {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  const whole = /[.!?]$/.test(begun) ? begun : `${begun}.`;
  return whole.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

/** Lines in the place of what is on its way. */
export function Waiting({ lines }: { readonly lines: number }) {
  return (
    <div class="waiting" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span class="line" key={line} />
      ))}
    </div>
  );
}

/** A command to copy. */
export function Command({ children }: { readonly children: string }) {
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label="Command">
      <pre class="code">{children}</pre>
    </div>
  );
}

/** Puts an event: the README's own. */
export const putCommand = `npx milepost put activation ATV-123 account.created`;
