import { latenessAt } from '../deadline/lateness.ts';
import type { InstanceKey } from '../event/event.ts';
import type { CommitTail } from '../history/commit.ts';
import type { JsonObject } from '../json/json.ts';
import { withRecordedMilestones } from '../status/recorded-milestones.ts';
import { eventTimeOf } from '../time/event-time.ts';

/** The types of Milepost's own notifications. Models can choose further types. */
export const ownNotificationTypes = [
  'StatusChanged',
  'MilestoneReached',
  'MilestoneAtRisk',
  'MilestoneLate',
  'MilestoneLateCleared',
  'InstanceDone',
] as const;

type OwnNotificationType = (typeof ownNotificationTypes)[number];

/** A published message about a change to an instance. */
export interface Notification {
  /**
   * Identifies the notification permanently. The id is derived from the commit, so it stays the same if the
   * notification is published again.
   */
  readonly id: string;
  /** One of `ownNotificationTypes`, or a type that a model chose. */
  readonly type: string;
  readonly instance: InstanceKey;
  /** When the commit was made, RFC 3339 in UTC. */
  readonly at: string;
  readonly detail: JsonObject;
}

/** Derives the notifications of a commit, in order. The notifications and their ids depend only on the commit. */
export function notificationsOf(commit: CommitTail): Notification[] {
  const { model, transaction, version, at } = commit;
  return [...ofEntries(commit), ...ofMilestones(commit), ...ofEnd(commit)].map(
    ([type, detail], index) => {
      const id = `${model}/${transaction}/${version}.${index}`;
      const whole = { id, model, transaction, version, at, ...detail };
      return { id, type, instance: { model, transaction }, at, detail: whole };
    },
  );
}

type NotificationContent = readonly [type: string, detail: JsonObject];

function ofEntries({ entries, changes, at }: CommitTail): NotificationContent[] {
  let before = changes.from ?? null;
  return entries.flatMap(({ outcome, status, effects, event }) => {
    const from = before;
    // A rejected event does not start an instance, so the instance has no first status to report yet.
    if (from === null && outcome === 'rejected') return [];
    before = status;
    const { id, source, type } = event;
    const cause = { eventTime: eventTimeOf(event.time, at), event: { id, source, type } };
    const own = effects.flatMap((effect): NotificationContent[] =>
      effect.kind === 'notify' ? [[effect.type, { status, data: effect.data, ...cause }]] : [],
    );
    return from === status ? own : [['StatusChanged', { from, status, ...cause }] as const, ...own];
  });
}

function ofMilestones({ description, changes, at }: CommitTail): NotificationContent[] {
  const { status, milestones = [] } = withRecordedMilestones(description, at);
  const milestoneChanges = (type: OwnNotificationType, ids: readonly string[] = []) =>
    milestones
      .filter(({ id }) => ids.includes(id))
      .map(({ id, at = null, expectedBy = null, atRiskAt }): NotificationContent => {
        const lateBy = at === null ? undefined : latenessAt(expectedBy ?? undefined, at);
        return [
          type,
          {
            status,
            milestone: id,
            reachedAt: at,
            expectedBy,
            ...(type === 'MilestoneAtRisk' ? { atRiskAt: atRiskAt ?? null } : {}),
            ...(lateBy === undefined ? {} : { lateBy }),
          },
        ];
      });
  return [
    ...milestoneChanges('MilestoneReached', changes.reached),
    ...milestoneChanges('MilestoneAtRisk', changes.atRisk),
    ...milestoneChanges('MilestoneLate', changes.late),
    ...milestoneChanges('MilestoneLateCleared', changes.lateCleared),
  ];
}

function ofEnd({ entries, description, changes, at }: CommitTail): NotificationContent[] {
  if (!changes.done) return [];
  const { status } = description;
  const last = entries.findLast(({ outcome }) => outcome === 'applied');
  const eventTime = last ? eventTimeOf(last.event.time, at) : at;
  return [['InstanceDone', { status, eventTime }]];
}
