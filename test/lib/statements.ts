import type { Template } from 'aws-cdk-lib/assertions';

/** The actions that a role is allowed on a resource. */
export interface Grant {
  /** The path of the role in the tracker. */
  readonly role: string;
  readonly actions: readonly string[];
  readonly resource: string;
  readonly effect: string;
  readonly condition: string;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Returns the permissions of all roles of a template, sorted by role and statement. */
export function grantsOf(template: Template): Grant[] {
  const resources: Record<string, { Type: string; Properties: Record<string, unknown> }> =
    template.toJSON()['Resources'];
  return Object.entries(resources).flatMap(([id, { Type, Properties }]) => {
    const inline = (Properties?.['Policies'] ?? []) as { PolicyDocument: unknown }[];
    const documents =
      Type === 'AWS::IAM::Role'
        ? inline.map(({ PolicyDocument }) => PolicyDocument)
        : Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy'
          ? [Properties['PolicyDocument']]
          : [];
    return documents.flatMap((document) => {
      const { Statement } = document as { Statement: Statement[] };
      return Statement.flatMap((statement) => grants(placeOf(id), statement));
    });
  });
}

/** Formats the grants as one line per grant, grouped by role. */
export function rendered(grants: readonly Grant[]): string {
  const roles = [...Map.groupBy(grants, ({ role }) => role)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const lines = roles.map(([role, all]) =>
    [role, ...all.map((grant) => `  ${line(grant)}`)].join('\n'),
  );
  return `${lines.join('\n\n')}\n`;
}

const line = ({ actions, resource, effect, condition }: Grant) =>
  `${effect === 'Allow' ? '' : `${effect} `}${actions.join(' ')} on ${resource}${condition}`;

function grants(role: string, { Effect, Action, Resource, Condition }: Statement): Grant[] {
  const resources = Array.isArray(Resource) ? Resource : [Resource];
  const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
  return resources.map((resource: unknown) => ({
    role,
    actions: [Action].flat(),
    // The name of an asset contains a content hash.
    resource: nameOf(resource).replace(/[0-9a-f]{64}/, '<hash>'),
    effect: Effect,
    condition,
  }));
}

/** Converts `TrackerTablesInstances12345678` to `TablesInstances`, the path in the tracker. */
const placeOf = (id: string) =>
  id.replace(/^Tracker/, '').replace(/(?:RoleDefaultPolicy)?[0-9A-F]{8}$/, '');

/** Formats a template value as text. References become the paths of their resources. */
export function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, of] = ['', '']] = Object.entries(value as Record<string, unknown>);
  switch (kind) {
    case 'Fn::Sub':
      return String(of);
    case 'Ref':
      return placeOf(String(of));
    case 'Fn::GetAtt': {
      const [id = '', attribute] = of as string[];
      return attribute === 'Arn' || attribute === 'Id'
        ? placeOf(id)
        : `${placeOf(id)}.${attribute}`;
    }
    case 'Fn::Join': {
      const [separator, parts] = of as [string, unknown[]];
      return parts.map(nameOf).join(separator);
    }
    default:
      return JSON.stringify(value);
  }
}
