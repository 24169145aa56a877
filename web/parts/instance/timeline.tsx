import type { Eta, Milestone } from '../../api/types.ts';
import { Moment } from '../moment.tsx';
import { useCentered } from '../use-centered.ts';

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

/**
 * The milestone states that are shown as tags after the label. There, other states are available only to screen
 * readers.
 */
const tags: Partial<Record<Milestone['state'], string>> = {
  late: 'tag bad',
  'at-risk': 'tag warn',
};

/** The milestones in order. Each shows when it was reached, or its deadline and when it is likely to be reached. */
export function Timeline({
  milestones,
  eta,
}: {
  readonly milestones: readonly Milestone[];
  readonly eta: readonly Eta[];
}) {
  const likely = new Map(eta.map((each) => [each.id, each]));
  const region = useCentered(
    'li:not(.reached, .skipped)',
    milestones.filter(({ state }) => state === 'reached').length,
  );
  return (
    <div ref={region} class="scroll hinted long" role="group" tabIndex={0} aria-label="Milestones">
      <ol class="timeline">
        {milestones.map(({ id, label, state, at, expectedBy }) => (
          <li key={id} class={state}>
            <span class="mark" aria-hidden="true">
              {marks[state]}
            </span>
            <span class="what">
              <bdi>{label}</bdi> <span class={tags[state] ?? 'hidden'}>{words[state]}</span>
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
                <>
                  {' '}
                  <span class="tag warn">reached late</span>
                </>
              ) : null}
              {/* Screen readers already read the state after the label. */}
              {state === 'skipped' ? <span aria-hidden="true">skipped</span> : null}
              {state === 'current' && !expectedBy ? <span aria-hidden="true">current</span> : null}
              <Likely eta={likely.get(id)} />
            </span>
          </li>
        ))}
      </ol>
    </div>
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
