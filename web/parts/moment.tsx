import { useCallback } from 'preact/hooks';
import { countdown, exact, relative } from '../pure/times.ts';
import { useTicking } from './use-now.ts';

/** A relative time, such as `2 min ago`, with the exact local time as a tooltip. */
export function Moment({ at }: { readonly at: string }) {
  const text = useTicking(useCallback((now: number) => relative(at, now), [at]));
  return (
    <time dateTime={at} title={exact(at)}>
      {text}
    </time>
  );
}

/** A countdown to a time, updated every second. */
export function Countdown({
  to,
  due,
}: {
  readonly to: string;
  /** The text to show from that time on. */
  readonly due: string;
}) {
  const text = useTicking(useCallback((now: number) => countdown(to, now) ?? due, [to, due]));
  return (
    <time class="countdown" dateTime={to} title={exact(to)} role="timer">
      {text}
    </time>
  );
}
