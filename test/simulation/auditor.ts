import { replay, type Sender } from './audit/fold.ts';
import { auditInstance } from './audit/instance.ts';
import { auditIsolation } from './audit/isolation.ts';
import type { Item } from './audit/item.ts';
import { auditLetters, namesInLetters } from './audit/letters.ts';
import { auditNotifications } from './audit/notifications.ts';
import { auditOutcomes } from './audit/outcomes.ts';
import { auditParkedData, openInstances } from './audit/personal-data.ts';
import { auditPublishing } from './audit/publishing.ts';
import { auditReplies } from './audit/replies.ts';
import { auditSendings } from './audit/sendings.ts';
import { auditStatus } from './audit/status.ts';
import { readInstances, readLetters } from './audit/tables.ts';
import { auditTimeouts } from './audit/timeouts.ts';
import { auditFirings, auditTimers } from './audit/timers.ts';
import type { RunLog } from './log.ts';

/**
 * Compares the tables of a run with the records that were sent. The auditor reads the raw items and is based only on
 * the specified behavior of the model. It shares no code with the runtime, except for functions that decompress data,
 * and that compare and shorten sequence numbers.
 *
 * @returns a description of every violated guarantee.
 */
export function audit(instancesTable: Item[], lettersTable: Item[], log: RunLog): string[] {
  const letters = readLetters(lettersTable);
  const letterIds = [...letters.map(({ id }) => id), ...log.putAgain, ...log.deleted];
  const stored = readInstances(instancesTable, namesInLetters(letterIds, log));
  const { opened: instances, findings } = openInstances(stored, log);
  const senders = instances.map((instance) => ({ instance, replayed: replay(instance) }));
  const ofInstance = ({ instance, replayed }: Sender) =>
    [
      ...auditInstance(instance, replayed, log),
      ...auditTimers(instance, replayed, log),
      ...auditStatus(instance, log),
    ].map((finding) => `${instance.key}: ${finding}`);
  return [
    ...findings,
    ...auditParkedData(instancesTable, log),
    ...senders.flatMap(ofInstance),
    ...auditOutcomes(instances, letters, log),
    ...auditLetters(instances, letters, log),
    ...auditSendings(senders, log),
    ...auditReplies(senders, log),
    ...auditNotifications(senders, log),
    ...auditPublishing(log),
    ...auditFirings(instances, log),
    ...auditTimeouts(log),
    ...auditIsolation(instances, log),
  ];
}
