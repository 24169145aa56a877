import type { ComponentChildren } from 'preact';
import type { ModelDetail } from '../../api/types.ts';
import { locale } from '../../pure/locale.ts';
import { length } from '../../pure/times.ts';

type Steps = ModelDetail['steps'];
type Times = Pick<Steps['statuses'][number], 'count' | 'p50' | 'p90' | 'distribution'>;

/** The observed durations of a model's steps: in each status, and from each milestone to the next. */
export function StepDurations({
  model: { statuses, milestones, steps },
}: {
  readonly model: Pick<ModelDetail, 'statuses' | 'milestones' | 'steps'>;
}) {
  const labelOf = (id: string) => milestones.find((milestone) => milestone.id === id)?.label ?? id;
  const inStatuses = statuses.flatMap((status) =>
    steps.statuses
      .filter((step) => step.status === status)
      .map((times) => ({ key: status, name: <bdi>{status}</bdi>, times })),
  );
  // Omit the first step if it takes no time, because the first event often reaches the first milestone.
  const between = steps.milestones
    .filter(({ from, distribution }) => from !== null || distribution.upTo > 0)
    .map(({ from, to, ...times }) => ({
      key: `${from} ${to}`,
      // Without isolation, labels that are written from right to left would appear in the reverse order.
      name: (
        <>
          <bdi>{from === null ? 'Start' : labelOf(from)}</bdi> → <bdi>{labelOf(to)}</bdi>
        </>
      ),
      times,
    }));
  return (
    <section class="durations" aria-labelledby="durations">
      <h2 id="durations">Durations</h2>
      {inStatuses.length + between.length === 0 ? (
        <p class="faint">
          The duration of each step appears here after instances have completed the step.
        </p>
      ) : null}
      <Table title="Time in a status" rows={inStatuses} />
      <Table title="Time from one milestone to the next, in finished instances" rows={between} />
    </section>
  );
}

function Table({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly {
    readonly key: string;
    readonly name: ComponentChildren;
    readonly times: Times;
  }[];
}) {
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Half within</th>
          <th scope="col">90% within</th>
          <th scope="col">Distribution</th>
          <th scope="col">Observed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, times }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{length(times.p50)}</td>
            <td>{length(times.p90)}</td>
            <td>
              <Distribution times={times} />
            </td>
            <td>{times.count.toLocaleString(locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const [width, height] = [144, 24];

/** A small histogram from 0 to the longest usual duration, with a line at the median. */
function Distribution({ times: { p50, distribution } }: { readonly times: Times }) {
  const { upTo, shares } = distribution;
  const most = Math.max(...shares);
  const step = width / shares.length;
  const median = upTo > 0 ? Math.min(width, (width * p50) / upTo) : 0;
  return (
    <span class="distribution">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {shares.map((share, index) => {
          // Draw at least a small bar so that small shares stay visible.
          const bar = share === 0 ? 0 : Math.max(1, (height * share) / most);
          return (
            <path key={index} d={`M${index * step} ${height}h${step - 1}v${-bar}h${1 - step}z`} />
          );
        })}
        <path class="median" d={`M${median} 0v${height}`} />
      </svg>
      <span class="axis">
        <span>0</span>
        <span>{length(upTo)}</span>
      </span>
    </span>
  );
}
