import type { Overview } from '../api/types.ts';
import { chartTop } from '../pure/chart-top.ts';
import { locale } from '../pure/locale.ts';
import { exact, timeOfDay } from '../pure/times.ts';

type Minutes = Overview['models'][number]['eventsPerMinute'];

const height = 40;
/** The position of the gap in a bar that is cut off, in units of the view box, from the top of the chart. */
const cut = { from: 5, to: 8 };

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
  const values = minutes.map(({ events }) => events);
  const [most, top] = [Math.max(1, ...values), chartTop(values)];
  const inAll = values.reduce((sum, events) => sum + events, 0);
  const lately = `${inAll.toLocaleString(locale)} in the last hour`;
  const text = isTall ? `${lately}, peak ${most.toLocaleString(locale)} per minute` : lately;
  return (
    <figure class={isTall ? 'rate tall' : 'rate'}>
      <figcaption>
        <span>{label}</span>
        <span class="faint">{inAll > 0 ? text : 'none in the last hour'}</span>
      </figcaption>
      <svg viewBox={`0 0 240 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {minutes.map(({ minute, events }, index) =>
          // Most minutes of most models have no events, and elements without a bar would slow down the page.
          events > 0 ? (
            <path key={minute} d={bar(4 * index, events, top)}>
              <title>{`${events.toLocaleString(locale)} at ${exact(minute)}`}</title>
            </path>
          ) : null,
        )}
      </svg>
      <p class="axis" aria-hidden="true">
        {[0, 15, 30, 45].map((index) => (
          <span key={index}>{minutes[index] && timeOfDay(minutes[index].minute)}</span>
        ))}
        <span>now</span>
      </p>
    </figure>
  );
}

/** Draws a bar. A bar that exceeds the top of the chart is cut off and has a gap near the top. */
function bar(x: number, events: number, top: number): string {
  const box = (from: number, to: number) => `M${x} ${from}h3V${to}h-3z`;
  if (events > top) return box(0, cut.from) + box(cut.to, height);
  // Draw at least a small bar so that small values stay visible.
  return box(height - Math.max(1, (height * events) / top), height);
}
