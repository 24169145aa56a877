import type { StandardSchemaV1 } from '@standard-schema/spec';

/** An issue that a schema found, of valibot or of any Standard Schema. */
interface Issue extends Pick<StandardSchemaV1.Issue, 'message'> {
  readonly path?: readonly (PropertyKey | { readonly key: unknown })[] | undefined;
}

/** The names of members and indexes that lead to the value of an issue, from the outside in. */
export const issuePath = ({ path = [] }: Issue): string[] =>
  path.map((part) => String(typeof part === 'object' ? part.key : part));

/**
 * Writes an issue with the path to its value, `milestones.0.label: ...`.
 *
 * @param whole stands for the path of an issue with the whole value. @default the message alone
 */
export function issueText(issue: Issue, whole = ''): string {
  const path = issuePath(issue).join('.') || whole;
  return path ? `${path}: ${issue.message}` : issue.message;
}

/** Writes issues on one line. */
export const issuesText = (issues: readonly Issue[], whole?: string): string =>
  issues.map((issue) => issueText(issue, whole)).join('; ');
