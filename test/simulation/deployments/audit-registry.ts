import { type ModelVersion, unqualifiedArn } from '../../../src/core/model/model-version.ts';
import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import { arnOf, type Functions } from './functions.ts';
import { addedModel, type Stack } from './stack.ts';

/** An operator's request to roll back the first model. */
export interface Rollback {
  readonly functionVersion: string;
  /** When the request was sent, in milliseconds since 1970. */
  readonly from: number;
  /** Whether the rollback succeeded, and when; undefined if the response is unknown. */
  result: { readonly isDone: boolean; readonly at: number } | undefined;
}

/** The registry at the end of a run. */
export interface FoundRegistry {
  readonly entries: readonly RegistryEntry[];
  /** The versions of the first model. */
  readonly listed: readonly ModelVersion[];
  /** The versions of the second model. */
  readonly listedOfAdded: readonly ModelVersion[];
  readonly functions: Functions;
  readonly rollbacks: readonly Rollback[];
}

/** How much later the clock of an API can be than CloudFormation's, which is accurate to the second, in milliseconds. */
const skew = 4_000;

/** Compares the registry with the last deployment, and with the rollbacks by operators after it. */
export function auditRegistry(
  { entries, listed, listedOfAdded, functions, rollbacks }: FoundRegistry,
  { deployed, added }: Pick<Stack, 'deployed' | 'added'>,
): string[] {
  const findings: string[] = [];
  const second = entries.find(({ id }) => id === addedModel);
  if ((second === undefined) !== (added === undefined))
    findings.push(`the registry ${second ? 'contains' : 'does not contain'} the second model`);
  for (const { functionArn } of [...(second ? [second] : []), ...listedOfAdded])
    if (added && unqualifiedArn(functionArn) !== arnOf(added))
      findings.push(`the second model has ${functionArn} instead of ${arnOf(added)}`);
  if (listedOfAdded.length !== (added ? 1 : 0))
    findings.push(`the second model has ${listedOfAdded.length} versions`);
  for (const { functionArn } of functions.missing(listed))
    findings.push(`${functionArn} is in the registry although it was deleted`);
  if (listed[0]?.functionVersion !== deployed.version)
    findings.push(
      `the newest version is ${listed[0]?.functionVersion} instead of ${deployed.version}`,
    );
  const entry = entries.find(({ id }) => id === 'tally')!;
  const possible = possibleVersions(deployed, rollbacks);
  if (!possible.includes(entry.functionVersion!))
    findings.push(
      `version ${entry.functionVersion} is current instead of ${possible.join(' or ')}`,
    );
  // An operator can select the version of a deployment that is being rolled back. The rollback then deletes the version.
  const number = `${arnOf('tally')}:${entry.functionVersion}`;
  const isUnqualified = entry.functionArn === unqualifiedArn(entry.functionArn);
  const code = functions.codeOf(entry.functionArn);
  if (!code) findings.push(`the current version ${entry.functionArn} was deleted`);
  else if (entry.version !== code.model && (!isUnqualified || functions.codeOf(number)))
    findings.push(`the entry describes ${entry.version}, but the code has version ${code.model}`);
  return findings;
}

/** Returns the versions that can be current: the one of the last deployment, or of rollbacks after it. */
function possibleVersions(deployed: Stack['deployed'], rollbacks: readonly Rollback[]): string[] {
  const last = rollbacks.findLastIndex(
    ({ from, result }) => result?.isDone && from > deployed.doneAt,
  );
  const later = rollbacks.slice(Math.max(last, 0)).filter(({ result }) => {
    const isUnknown = result === undefined;
    return isUnknown || (result.isDone && result.at > deployed.sentAt - skew);
  });
  return [
    ...(last === -1 ? [deployed.version] : []),
    ...later.map(({ functionVersion }) => functionVersion),
  ];
}
