import type { Template } from 'aws-cdk-lib/assertions';
import { nameOf } from './statements.ts';

/** A principal that a resource policy, a trust policy, or a permission grants access to. */
export interface Admission {
  /** The type of the resource that has the policy. */
  readonly type: string;
  /** The type and name of the principal, such as `Service events.amazonaws.com`. */
  readonly principal: string;
  /** The stack's own resources or account to which conditions restrict a service; empty without such a condition. */
  readonly sources: readonly string[];
}

interface Statement {
  readonly Effect?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Finds every principal that a resource policy, a key policy, a role's trust policy, or a function's permission admits.
 */
export function admissionsOf(template: Template): Admission[] {
  const resources: Record<string, { Type: string; Properties?: Record<string, unknown> }> =
    template.toJSON()['Resources'];
  return Object.values(resources).flatMap(({ Type: type, Properties = {} }) => {
    if (type === 'AWS::Lambda::Permission') {
      const { Principal, SourceArn, SourceAccount } = Properties;
      const kind = String(Principal).includes('.') ? 'Service' : 'AWS';
      const sources = [SourceArn, SourceAccount].filter(isOwn).map(nameOf);
      return [{ type, principal: `${kind} ${nameOf(Principal)}`, sources }];
    }
    return statementsIn(Properties).flatMap(({ Principal, Condition = {} }) => {
      const sources = Object.entries(Condition)
        .filter(([operator]) => /^(?:String|Arn)(?:Equals|Like)$/.test(operator))
        .flatMap(([, values]) => Object.entries(values))
        .filter(([key, value]) => /^aws:source(?:arn|account)$/i.test(key) && isOwn(value))
        .map(([, value]) => nameOf(value));
      return principalsOf(Principal).map((principal) => ({ type, principal, sources }));
    });
  });
}

/** Returns the statements, at any depth, that grant permissions to a principal. */
function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  const statement = value as Statement;
  const isAdmission = statement.Effect === 'Allow' && statement.Principal !== undefined;
  return isAdmission ? [statement] : Object.values(value).flatMap(statementsIn);
}

function principalsOf(principal: unknown): string[] {
  if (typeof principal === 'string') return [`AWS ${principal}`];
  return Object.entries(principal as Record<string, unknown>).flatMap(([kind, names]) =>
    [names].flat().map((name) => `${kind} ${nameOf(name)}`),
  );
}

/** Returns true if a value refers to a resource of the template or to the account of its deployment. */
const isOwn = (value: unknown) =>
  /"Fn::GetAtt"|"Ref":"AWS::AccountId"/.test(JSON.stringify(value) ?? '');
