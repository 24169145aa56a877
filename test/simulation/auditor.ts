import { auditInstance } from './audit/instance.ts';
import type { Item } from './audit/item.ts';
import { auditLetters } from './audit/letters.ts';
import { auditOutcomes } from './audit/outcomes.ts';
import { auditStatus } from './audit/status.ts';
import { type Instance, readInstances, readLetters } from './audit/tables.ts';
import type { RunLog } from './log.ts';

/**
 * Holds the tables of a run against what was sent. It shares no code with the runtime: it reads the
 * raw items, and knows of the model only what the model is supposed to do.
 *
 * @returns every broken promise, in words.
 */
export function audit(instancesTable: Item[], lettersTable: Item[], log: RunLog): string[] {
  const instances = readInstances(instancesTable);
  const letters = readLetters(lettersTable);
  const ofInstance = (instance: Instance) =>
    [...auditInstance(instance, log), ...auditStatus(instance, log)].map(
      (finding) => `${instance.key}: ${finding}`,
    );
  return [
    ...instances.flatMap(ofInstance),
    ...auditOutcomes(instances, letters, log),
    ...auditLetters(instances, letters, log),
  ];
}
