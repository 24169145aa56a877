import type { ComponentChildren } from 'preact';
import { RequestError } from '../api/request-error.ts';

/** A title and a hint, shown if there is no content. */
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

/**
 * The titles of errors, by HTTP status. A status of 400 indicates an invalid address, because a page's address contains
 * the parameters of its request.
 */
const titles: Readonly<Record<number, string>> = {
  400: 'Invalid address',
  403: 'Access denied',
  404: 'Not found',
};

/** The message of an error, with a retry button. */
export function Failed({
  failure,
  retry,
  children,
}: {
  readonly failure: Error;
  readonly retry: () => void;
  /** Hints below the message. */
  readonly children?: ComponentChildren;
}) {
  const known = failure instanceof RequestError ? failure : undefined;
  return (
    <div class="empty" role="alert">
      <h2>{titles[known?.status ?? 0] ?? 'Something went wrong'}</h2>
      <p>
        {sentence(failure.message)}
        {known?.isTemporary ? ' This page keeps retrying.' : null}
      </p>
      {children}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** The message of an error in a part of a page, with a retry button. */
export function PartFailed({
  failure,
  retry,
}: {
  readonly failure: Error;
  readonly retry: () => void;
}) {
  return (
    <p class="wrong" role="alert">
      {sentence(failure.message)}{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}

/** Formats a message as a sentence, with text in backticks as code. An id at the start stays unchanged. */
export function sentence(text: string): ComponentChildren {
  const begun = text.replace(/^[a-z](?=[a-z]*(?:[\s,.:;']|$))/, (first) => first.toUpperCase());
  const whole = /[.!?]$/.test(begun) ? begun : `${begun}.`;
  return whole.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

/** A placeholder while content loads. */
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

/** A shell command for the user to copy. */
export function Command({ children }: { readonly children: string }) {
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label="Command">
      <pre class="code">{children}</pre>
    </div>
  );
}

/** A command that sends an event to the instance that the README uses as an example. */
export const putCommand = `npx milepost put activation ATV-123 account.created`;
