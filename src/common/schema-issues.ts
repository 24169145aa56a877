import type { StandardSchemaV1 } from '@standard-schema/spec';

/** An issue reported by a valibot schema or any other Standard Schema. */
interface Issue extends Pick<StandardSchemaV1.Issue, 'message'> {
  readonly path?: readonly (PropertyKey | { readonly key: unknown })[] | undefined;
}

/** Returns the path of the invalid value: member names and array indexes, outermost first. */
export const issuePath = ({ path = [] }: Issue): string[] =>
  path.map((part) => String(typeof part === 'object' ? part.key : part));

/**
 * Formats an issue with its path, such as `milestones.0.label: ...`.
 *
 * @param whole the name of the whole value, which replaces an empty path. Default: none, so the result is only the
 *   message.
 */
export function issueText(issue: Issue, whole = ''): string {
  const path = issuePath(issue).join('.') || whole;
  return path ? `${path}: ${issue.message}` : issue.message;
}

/** Formats issues on one line, separated by semicolons. */
export const issuesText = (issues: readonly Issue[], whole?: string): string =>
  issues.map((issue) => issueText(issue, whole)).join('; ');
