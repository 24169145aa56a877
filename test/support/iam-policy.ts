/** An IAM policy without conditions, variables, or exceptions (`NotResource`), which are not supported. */
export interface IamPolicy {
  readonly Statement: readonly {
    readonly Effect: 'Allow' | 'Deny';
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
  }[];
}

/**
 * Reports whether a policy allows an action on a resource. At least one statement must allow the action, and no
 * statement may deny it.
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

/**
 * Matches text with a pattern, in which `*` stands for any characters including slashes, and `?` for a single
 * character.
 */
function matches(pattern: string, text: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\*?]/g, (character) =>
    character === '*' ? '.*' : character === '?' ? '.' : `\\${character}`,
  );
  return new RegExp(`^${source}$`, 's').test(text);
}
