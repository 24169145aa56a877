import type { Eta, Milestone } from '../../api/types.ts';
import { Moment } from '../moment.tsx';

const marks = {
  reached: '✓',
  current: '●',
  pending: '',
  'at-risk': '●',
  late: '!',
  skipped: '–',
} as const;
const words = {
  reached: 'reached',
  current: 'current',
  pending: 'pending',
  'at-risk': 'at risk',
  late: 'late',
  skipped: 'skipped',
} as const;

/** The states of milestones that are shown as tags. Other states are available only to screen readers. */
const tags: Partial<Record<Milestone['state'], string>> = {
  late: 'tag bad',
  'at-risk': 'tag warn',
};

/** The milestones in order, each with the time when it was reached, is expected by its deadline, or is likely. */
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
            {label} <span class={tags[state] ?? 'hidden'}>{words[state]}</span>
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
              <span class="tag warn">reached late</span>
            ) : null}
            {state === 'skipped' ? 'skipped' : null}
            {state === 'current' && !expectedBy ? 'current' : null}
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
      likely <Moment at={eta.p50} /> (90%: <Moment at={eta.p90} />)
    </span>
  );
}
