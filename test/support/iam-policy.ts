/** An IAM policy, limited to the supported parts: no conditions, variables or exceptions (`NotResource`). */
export interface IamPolicy {
  readonly Statement: readonly {
    readonly Effect: 'Allow' | 'Deny';
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
  }[];
}

/**
 * True if a policy allows an action on a resource: a statement allows it, and none denies it.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function allows({ Statement }: IamPolicy, action: string, resource: string): boolean {
  const matching = Statement.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      [Resource].flat().some((pattern) => matches(pattern, resource)),
  );
  return matching.length > 0 && matching.every(({ Effect }) => Effect === 'Allow');
}

/** `*` matches any characters including slashes, `?` a single one. */
function matches(pattern: string, text: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\*?]/g, (character) =>
    character === '*' ? '.*' : character === '?' ? '.' : `\\${character}`,
  );
  return new RegExp(`^${source}$`, 's').test(text);
}
