import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useModelTitles } from '../../api/use-model-titles.ts';
import { useSession } from '../../login/session.ts';
import { locale } from '../../pure/locale.ts';
import { forgetRecent, recentResults, remember } from '../../pure/recent.ts';
import type { SearchResult } from '../../pure/search-results.ts';
import { Id } from '../marks.tsx';
import { useEventSearch, useSearch } from './use-search.ts';

/**
 * The dialog, available on every page, that finds instances, models, dead letters, and events. The user types text,
 * chooses a result with the arrow keys, and opens it with Enter.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ Combobox pattern
 */
export function SearchDialog({ closed }: { readonly closed: () => void }) {
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  /** True if the user pressed Enter before the results for the typed text arrived. */
  const [isAwaited, setAwaited] = useState(false);
  const { models } = useModelTitles();
  const search = useSearch(typed, models);
  const events = useEventSearch(typed.trim());
  // If a user is logged in, store recent results only for the session, because they must not outlive it.
  const storage = useSession().kind === 'in' ? sessionStorage : localStorage;
  const [recent, setRecent] = useState(() => recentResults(storage));
  useEffect(() => dialog.current?.showModal(), []);

  const isEmpty = typed.trim() === '';
  const options: readonly SearchResult[] = isEmpty
    ? recent.map((each) => ({ ...each, detail: '' }))
    : [...search.results, ...events.results];
  const chosen = Math.min(active, options.length - 1);
  // Until the results arrive, the list shows the results for an earlier text.
  const isCurrent = isEmpty || search.text === typed.trim();
  useEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const open = (result: SearchResult | undefined) => {
    if (!result) return;
    remember(storage, result);
    dialog.current?.close();
    route(result.href);
  };
  useEffect(() => {
    if (!isAwaited || !isCurrent) return;
    setAwaited(false);
    open(options[chosen]);
  }, [isAwaited, isCurrent]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setActive((chosen + step + options.length) % options.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Open a result that the user chose with the arrow keys, even if it belongs to an earlier text.
      if (isCurrent || chosen > 0) open(options[chosen]);
      else setAwaited(true);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="finder"
      aria-label="Search"
      onClose={closed}
      onClick={({ target }) => {
        // A button disappears after it is pressed, and without focus, the field would not receive arrow keys.
        if (target instanceof HTMLButtonElement) field.current?.focus();
      }}
    >
      <input
        ref={field}
        type="text"
        role="combobox"
        enterKeyHint="go"
        aria-label="Search"
        aria-expanded={options.length > 0}
        aria-controls="search-results"
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? optionId(chosen) : undefined}
        placeholder="Transaction, customer:42, model, dead letter, or event"
        maxLength={256}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setActive(0);
          setAwaited(false);
        }}
        onKeyDown={press}
      />
      {isEmpty && recent.length > 0 ? (
        <p class="heading">
          Recently opened
          <button
            type="button"
            onClick={() => {
              forgetRecent(storage);
              setRecent([]);
            }}
          >
            Clear
          </button>
        </p>
      ) : null}
      <ul
        id="search-results"
        role="listbox"
        aria-label={isEmpty ? 'Recently opened' : 'Results'}
        hidden={options.length === 0}
      >
        {options.map((result, index) => (
          <li
            key={`${result.kind} ${result.href}`}
            id={optionId(index)}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(result)}
          >
            <span class="kind">{result.kind}</span>
            <span>
              <Id text={result.text} />
            </span>
            <span class="faint">
              <Id text={result.detail} />
            </span>
          </li>
        ))}
      </ul>
      {isEmpty ? (
        <p class="faint">
          Type a transaction id prefix, part of a model’s name, or a complete business key, dead
          letter id, or event id.
        </p>
      ) : (
        <Footer typed={typed.trim()} search={search} events={events} />
      )}
    </dialog>
  );
}

const optionId = (index: number) => `search-result-${index}`;

/** Reports if the search takes long or found nothing, and offers to search all histories for an event. */
function Footer({
  typed,
  search: { text, results, failure },
  events: { state, itemsRead, results: found, failure: wrong, start, stop },
}: {
  readonly typed: string;
  readonly search: ReturnType<typeof useSearch>;
  readonly events: ReturnType<typeof useEventSearch>;
}) {
  const isNothing = text === typed && results.length + found.length === 0 && !failure;
  return (
    <div class="footer">
      <p role="status">
        {failure ?? wrong}
        {text !== typed && state === 'idle' ? <span class="delayed">Searching…</span> : null}
        {isNothing && state === 'idle'
          ? 'Nothing found. Ids and business keys are case-sensitive. Of the dead letters, only the newest 100 are searched by event or transaction id.'
          : null}
        {state === 'running' ? `Searching the histories: ${count(itemsRead)} items read…` : null}
        {state === 'ended'
          ? `No history contains this event (${count(itemsRead)} items read).`
          : null}
        {state === 'stopped' && !wrong ? 'Stopped.' : null}
      </p>
      {state === 'running' ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : null}
      {state === 'idle' || state === 'stopped' ? (
        <button type="button" onClick={start}>
          Search all histories for the event “{typed}”
        </button>
      ) : null}
    </div>
  );
}

const count = (items: number) => items.toLocaleString(locale);
