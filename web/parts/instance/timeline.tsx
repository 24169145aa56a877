import type { Eta, Milestone } from '../../api/types.ts';
import { Moment } from '../moment.tsx';

const marks = { reached: '✓', current: '●', pending: '', late: '!', skipped: '–' } as const;
const words = {
  reached: 'reached',
  current: 'next',
  pending: 'to come',
  late: 'late',
  skipped: 'skipped',
} as const;

/** Milestones in their order, with when each was reached, is expected, or is likely to come. */
export function Timeline({
  milestones,
  eta,
}: {
  readonly milestones: readonly Milestone[];
  readonly eta: readonly Eta[];
}) {
  const likely = new Map(eta.map((each) => [each.id, each]));
  return (
    <ol class="timeline">
      {milestones.map(({ id, label, state, at, expectedBy }) => (
        <li key={id} class={state}>
          <span class="mark" aria-hidden="true">
            {marks[state]}
          </span>
          <span class="what">
            {label}
            <span class={state === 'late' ? 'tag bad' : 'hidden'}> {words[state]}</span>
          </span>
          <span class="when">
            {at ? <Moment at={at} /> : null}
            {!at && expectedBy && state !== 'skipped' ? (
              <>
                {state === 'late' ? 'was expected ' : 'expected '}
                <Moment at={expectedBy} />
              </>
            ) : null}
            {at && expectedBy && at > expectedBy ? (
              <span class="tag warn">after its time</span>
            ) : null}
            {state === 'skipped' ? 'skipped' : null}
            {state === 'current' && !expectedBy ? 'next' : null}
            <Likely eta={likely.get(id)} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Likely({ eta }: { readonly eta: Eta | undefined }) {
  if (!eta) return null;
  return (
    <span class="likely">
      likely <Moment at={eta.p50} />, nine in ten <Moment at={eta.p90} />
    </span>
  );
}
