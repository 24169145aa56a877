import { serviceNow } from '../../api/service-clock.ts';
import type { AttainmentByWeek, Milestone } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { modelPage } from '../../pure/paths.ts';
import { Attainment } from '../attainment.tsx';
import { PartFailed } from '../states.tsx';

const week = 7 * 86_400_000;

/**
 * Shows the share of each milestone's deadlines that were met in the current and the previous week. Renders nothing if
 * there were no deadlines.
 */
export function MilestoneAttainment({
  model,
  milestones,
}: {
  readonly model: string;
  readonly milestones: readonly Pick<Milestone, 'id' | 'label'>[];
}) {
  const lastWeek = new Date(serviceNow() - week).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const { body, stale, failure, refresh } = useLive<AttainmentByWeek>(
    `/api${modelPage(model)}/sla?from=${lastWeek}`,
  );
  if (!body && failure)
    return (
      <>
        <h2>Deadlines met</h2>
        <PartFailed failure={failure} retry={refresh} />
      </>
    );
  if (!body || stale || body.weeks.length === 0) return null;
  return (
    <>
      <h2>Deadlines met</h2>
      {milestones.map(({ id, label }) => (
        <Attainment
          key={id}
          label={label}
          sla={body.weeks.flatMap(({ from, milestones: counted }) =>
            counted.filter((each) => each.id === id).map((each) => ({ from, ...each })),
          )}
        />
      ))}
    </>
  );
}
