import { useCallback } from 'preact/hooks';
import type { DeadlineList, DeadlineTimeline, Instance, Milestone } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { deadlineBar } from '../../pure/deadline-bar.ts';
import { exact } from '../../pure/times.ts';
import { PartFailed } from '../states.tsx';
import { useTicking } from '../use-now.ts';

/**
 * The interval at which the timelines of the deadlines are reloaded, in milliseconds. Reloading is necessary because
 * the timeline of a late milestone's deadline becomes longer over time.
 */
const everyMs = 60_000;

/** Shows the deadlines of an instance as bars. Renders nothing if the instance has none. */
export function Deadlines({
  instance: { version, milestones },
  inApi,
}: {
  readonly instance: Instance;
  /** The path of the instance in the API. */
  readonly inApi: string;
}) {
  const hasDeadline = milestones.some(
    ({ expectedBy, paused, state }) => (expectedBy !== null || paused) && state !== 'skipped',
  );
  // The fragment, which is not sent to the API, changes with the version so that a new version reloads the timelines.
  const path = hasDeadline ? `${inApi}/deadlines#${version}` : undefined;
  const { body, failure, refresh } = useLive<DeadlineList>(path, everyMs);
  const rows = (body?.deadlines ?? []).flatMap((timeline) => {
    const milestone = milestones.find(({ id }) => id === timeline.id);
    return milestone ? [{ milestone, timeline }] : [];
  });
  const missing = body ? undefined : failure;
  if (!hasDeadline || (rows.length === 0 && !missing)) return null;
  return (
    <section class="card deadlines" aria-labelledby="deadlines">
      <header>
        <h2 id="deadlines">Deadlines</h2>
        {missing ? null : (
          <p class="legend" aria-hidden="true">
            <span class="elapsed">elapsed</span>
            <span class="paused">paused</span>
            <span class="closed">closed</span>
            <span class="overdue">late</span>
          </p>
        )}
      </header>
      {missing ? <PartFailed failure={missing} retry={refresh} /> : null}
      <ul>
        {rows.map(({ milestone, timeline }) => (
          <Row key={milestone.id} milestone={milestone} timeline={timeline} />
        ))}
      </ul>
    </section>
  );
}

function Row({
  milestone,
  timeline,
}: {
  readonly milestone: Milestone;
  readonly timeline: DeadlineTimeline;
}) {
  const layOut = useCallback(
    (now: number) => JSON.stringify(deadlineBar(milestone, timeline, now)),
    [milestone, timeline],
  );
  const { parts, marks, says, text } = JSON.parse(useTicking(layOut)) as ReturnType<
    typeof deadlineBar
  >;
  const { label, state, expectedBy } = milestone;
  return (
    <li class={state}>
      <bdi>{label}</bdi>
      <span class="bar" role="img" aria-label={text}>
        {parts.map(({ kind, from, width }, index) => (
          <i key={index} class={kind} style={{ left: `${from}%`, width: `${width}%` }} />
        ))}
        {marks.map(({ kind, at }) => (
          <i key={kind} class={kind} style={{ left: `${at}%` }} />
        ))}
      </span>
      <span class="says" title={expectedBy === null ? undefined : exact(expectedBy)}>
        {says}
      </span>
    </li>
  );
}
