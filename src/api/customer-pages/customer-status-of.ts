import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { translate } from '../../core/model/labels.ts';
import type { Language } from '../../core/model/languages.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { etaOf } from '../../core/status/eta.ts';
import { type MilestoneState, milestoneViews } from '../../core/status/milestones.ts';
import { withRecordedMilestones } from '../../core/status/recorded-milestones.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import type {
  CustomerMilestoneState,
  CustomerStatus,
} from '../../customer-page/customer-status.ts';

/** An instance and the other data from which its customer status is built. */
export interface DescribedInstance {
  readonly key: InstanceKey;
  /** The instance after its latest commit; undefined if the instance has only parked events. */
  readonly commit: Head | undefined;
  /** The model; undefined if it is no longer registered. */
  readonly entry: RegistryEntry | undefined;
  readonly stepDurations: StepDurations;
}

/** Builds the part of an instance that its customer sees. `now` is in milliseconds since 1970. */
export function customerStatusOf(
  { key, commit, entry, stepDurations }: DescribedInstance,
  language: Language,
  now: number,
): CustomerStatus {
  const translated = (text: string) => translate(entry?.labels, language, text);
  const declared = entry?.milestones ?? [];
  const description = commit
    ? withRecordedMilestones(commit.description, commit.at)
    : { status: '' };
  const etas = commit ? etaOf(declared, description, commit.startedAt, stepDurations, now) : [];
  const likelyBy = new Map(etas.map(({ id, p90 }) => [id, p90]));
  const views = milestoneViews(declared, description, now);
  const next = views.findLastIndex(({ state }) => state === 'reached') + 1;
  return {
    title: translated(entry?.title ?? key.model),
    reference: description.reference ?? null,
    status: commit ? translated(description.status) : null,
    done: description.done ?? false,
    progress: commit?.progress ?? null,
    since: commit?.statusSince ?? null,
    milestones: views.map(({ id, label, state, at, expectedBy }, index) => {
      const isOpen = state !== 'reached' && state !== 'skipped';
      const deadline = isOpen ? expectedBy : null;
      return {
        label: translated(label),
        state: customerStateOf(state, index === next),
        at,
        expectedBy: deadline,
        likelyBy: isOpen && deadline === null ? (likelyBy.get(id) ?? null) : null,
      };
    }),
  };
}

/**
 * Returns a milestone's state as the customer sees it, without revealing that the milestone is at risk.
 *
 * @param isNext true if the milestone directly follows the furthest milestone reached.
 */
function customerStateOf(state: MilestoneState, isNext: boolean): CustomerMilestoneState {
  if (state !== 'at-risk') return state;
  return isNext ? 'current' : 'pending';
}
