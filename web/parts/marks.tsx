import { escapeControls } from '../../src/common/escape.ts';
import { locale } from '../pure/locale.ts';
import { instancesPage } from '../pure/paths.ts';
import { wholePercent } from '../pure/whole-percent.ts';

/**
 * An id or other text from an event, isolated from the direction of the surrounding text. Characters that are invisible
 * or change the text direction become escapes, such as `\u202e`.
 */
export function Id({ text }: { readonly text: string }) {
  return <bdi>{escapeControls(text)}</bdi>;
}

/** The status of an instance, with a check mark if the process is done. */
export function Status({ status, done }: { readonly status: string; readonly done?: boolean }) {
  return (
    <span class={done ? 'status done' : 'status'}>
      <Id text={status} />
      {done && <span aria-hidden="true"> ✓</span>}
      {done && <span class="hidden"> (done)</span>}
    </span>
  );
}

/** A progress bar for a value from 0 to 1, or a dash if the value is null. */
export function Progress({ value }: { readonly value: number | null }) {
  if (value === null) return <span class="faint">–</span>;
  const percent = wholePercent(value);
  return (
    <span class="progress">
      <progress max={100} value={percent} aria-label="Progress" />
      <span class="number" aria-hidden="true">
        {percent}%
      </span>
    </span>
  );
}

/** The business keys of an instance, each a link to the instances that share it. */
export function Keys({ keys }: { readonly keys: readonly string[] | undefined }) {
  if (!keys?.length) return null;
  return (
    <ul class="keys" aria-label="Business keys">
      {keys.map((key) => (
        <li key={key}>
          <a href={instancesPage({ key })}>
            <Id text={key} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A count, followed by `+` if there are more than were counted. */
export function Count({ of, more }: { readonly of: number; readonly more: boolean }) {
  return (
    <span class="number">
      {of.toLocaleString(locale)}
      {more && '+'}
    </span>
  );
}
