import { useEffect, useRef, useState } from 'preact/hooks';
import { requestJson } from '../../api/request-json.ts';
import type { NewLink } from '../../api/types.ts';
import { Action } from '../action.tsx';

/** The lifetimes that the dialog offers, as ISO 8601 durations. */
const lifetimes = { P7D: '7 days', P30D: '30 days', P90D: '90 days', P365D: '365 days' };

/** The button that creates a customer link. */
export function CreateLink({
  model,
  transaction,
  created,
  said,
}: {
  readonly model: string;
  readonly transaction: string;
  /** Called with the new link. */
  readonly created: (link: NewLink) => void;
  /** Receives the message after the action. */
  readonly said: (text: string) => void;
}) {
  const [expiresIn, setExpiresIn] = useState('P30D');
  const create = async () => {
    const body = JSON.stringify({ model, transaction, expiresIn });
    created(JSON.parse(await requestJson('/api/links', { method: 'POST', body })) as NewLink);
    return 'Created a link.';
  };
  return (
    <Action label="Create link" title="Create a link for the customer?" run={create} said={said}>
      <p>
        Anyone with the link can see the status page of this instance until the link expires or is
        revoked.
      </p>
      <label class="confirm">
        Valid for
        <select
          value={expiresIn}
          onChange={({ currentTarget }) => setExpiresIn(currentTarget.value)}
        >
          {Object.entries(lifetimes).map(([duration, text]) => (
            <option key={duration} value={duration}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </Action>
  );
}

/** A link that was just created, with a button that copies its address. */
export function CreatedLink({ link }: { readonly link: NewLink }) {
  const address = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  useEffect(() => address.current?.focus(), []);
  const copy = async () => {
    // Remove the message first, because screen readers do not announce the same text again.
    setCopied('');
    try {
      await navigator.clipboard.writeText(link.url);
      setCopied('Copied.');
    } catch {
      // Browsers provide the clipboard only to pages with HTTPS, and can deny access.
      address.current?.focus();
      address.current?.select();
      setCopied('Your browser does not allow the page to copy. Copy the selected link yourself.');
    }
  };
  return (
    <div class="created" role="group" aria-label="New link">
      <p>Copy the link now, because Milepost does not store it and cannot show it again.</p>
      <div class="copied">
        <input
          ref={address}
          type="text"
          readOnly
          value={link.url}
          aria-label="Link"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <a class="button" href={link.url} target="_blank" rel="noreferrer">
          Open
        </a>
      </div>
      <p class={copied ? 'faint' : 'hidden'} role="status">
        {copied}
      </p>
    </div>
  );
}
