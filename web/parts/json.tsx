import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { escapeJson } from '../../src/common/escape.ts';
import { type Change, diff, placeName } from '../pure/diff.ts';
import { jsonLines } from '../pure/json-lines.ts';
import { locale } from '../pure/locale.ts';

/** The number of lines that are shown until the user selects "Show all". */
const linesAtFirst = 200;

/** A scrollable box with formatted JSON that highlights the lines of changes. */
export function Json({
  label,
  value,
  changes = [],
  note,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly changes?: readonly Change[];
  /** Renders a note after the value of the field with this JSON Pointer. */
  readonly note?: ((field: string) => ComponentChildren) | undefined;
}) {
  const [all, setAll] = useState(false);
  const lines = useMemo(
    () => jsonLines(value, new Set(changes.map(({ path }) => JSON.stringify(path)))),
    [value, changes],
  );
  const shown = all ? lines : lines.slice(0, linesAtFirst);
  return (
    <>
      <div class="scroll tall" role="group" tabIndex={0} aria-label={label}>
        <pre class={note ? 'code noted' : 'code'}>
          {shown.map(({ text, marked, field }, index) => (
            <span key={index} class={marked ? 'row marked' : 'row'}>
              {text}
              {field !== undefined && note?.(field)}
              {'\n'}
            </span>
          ))}
        </pre>
      </div>
      {shown.length < lines.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {lines.length.toLocaleString(locale)} lines
        </button>
      )}
    </>
  );
}

/** The maximum number of changes to list. The JSON of the state, below the list, highlights all changes. */
const changesListed = 50;

/** Lists the fields that a step changed, with their old and new values. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="faint">No changes to the state.</p>;
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label="Changes in this step">
      <ul class="changes">
        {changes.slice(0, changesListed).map((change) => (
          <li key={JSON.stringify(change.path)} class={change.kind}>
            <span class="sign" aria-hidden="true">
              {signs[change.kind]}
            </span>
            <span class="hidden">{change.kind} </span>
            <code>{placeName(change.path)}</code>{' '}
            {change.kind !== 'added' && <del>{short(change.before)}</del>}
            {change.kind === 'changed' && <span aria-label="to"> → </span>}
            {change.kind !== 'removed' && <ins>{short(change.after)}</ins>}
          </li>
        ))}
        {changes.length > changesListed && (
          <li class="faint">and {changes.length - changesListed} more, highlighted below</li>
        )}
      </ul>
    </div>
  );
}

const signs = { added: '+', removed: '−', changed: '~' } as const;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return escapeJson(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

/** Returns the differences between two states, memoized. */
export function useDiff(before: unknown, after: unknown): readonly Change[] {
  return useMemo(() => diff(before, after), [before, after]);
}
