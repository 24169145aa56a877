import { useCallback } from 'preact/hooks';
import type { Milestone, Summary } from '../api/types.ts';
import { exact, lasting } from '../pure/times.ts';
import { useTicking } from './use-now.ts';

/* Tags of instances that need attention. */

/** An instance's late or at-risk milestone, and how long it has been late or at risk. */
export function Risk({
  risk,
  milestones,
}: {
  readonly risk: Summary['risk'];
  /** The model's milestones, whose labels are shown. */
  readonly milestones: readonly Pick<Milestone, 'id' | 'label'>[];
}) {
  const since = risk?.since ?? '';
  const text = useTicking(useCallback((now: number) => lasting(since, now), [since]));
  if (!risk) return null;
  const { state, milestone } = risk;
  const label = milestones.find(({ id }) => id === milestone)?.label ?? milestone;
  const what = state === 'late' ? `${text} late` : `at risk for ${text}`;
  return (
    <span class={state === 'late' ? 'tag bad' : 'tag warn'} title={`since ${exact(since)}`}>
      {label === null ? null : (
        <>
          <bdi>{label}</bdi>:{' '}
        </>
      )}
      {what}
    </span>
  );
}

/** The number of parked events of an instance, unless it is 0. */
export function Parked({ count }: { readonly count: number }) {
  return count > 0 ? <span class="tag warn">{count} parked</span> : null;
}
