import type { Overview } from '../api/types.ts';
import { exact } from '../pure/times.ts';

type Minutes = Overview['models'][number]['eventsPerMinute'];

/** A bar chart of the events per minute. The last bar is the current minute. */
export function RateChart({
  label,
  minutes,
  isTall = false,
}: {
  readonly label: string;
  readonly minutes: Minutes;
  readonly isTall?: boolean;
}) {
  const most = Math.max(1, ...minutes.map(({ events }) => events));
  const inAll = minutes.reduce((sum, { events }) => sum + events, 0);
  const lately = `${inAll.toLocaleString()} in the last hour`;
  const text = isTall ? `${lately}, peak ${most.toLocaleString()} per minute` : lately;
  return (
    <figure class={isTall ? 'rate tall' : 'rate'}>
      <figcaption>
        <span>{label}</span>
        <span class="faint">{inAll > 0 ? text : 'none in the last hour'}</span>
      </figcaption>
      <svg viewBox="0 0 240 40" preserveAspectRatio="none" aria-hidden="true">
        {minutes.map(({ minute, events }, index) => {
          // Keep small values visible.
          const height = events > 0 ? Math.max(1, (40 * events) / most) : 0;
          return (
            <rect key={minute} x={4 * index} width="3" y={40 - height} height={height}>
              <title>{`${events.toLocaleString()} at ${exact(minute)}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}
