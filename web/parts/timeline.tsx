import type { Milestone } from '../api/types.ts';
import { Moment } from './moment.tsx';

const marks = { reached: '✓', current: '●', pending: '', late: '!', skipped: '–' } as const;
const words = {
  reached: 'reached',
  current: 'next',
  pending: 'to come',
  late: 'late',
  skipped: 'skipped',
} as const;

/** Milestones in their order, with when each was reached or is expected. */
export function Timeline({ milestones }: { readonly milestones: readonly Milestone[] }) {
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
          </span>
        </li>
      ))}
    </ol>
  );
}
