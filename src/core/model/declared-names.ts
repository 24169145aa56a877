import type { Description, Diagram, MilestoneProgress } from './description.ts';

/** A description whose status and milestones the compiler knows by name. */
export interface DescriptionOf<Status extends string, MilestoneId extends string>
  extends Omit<Description, 'status' | 'milestones'> {
  /** One of the model's statuses. */
  readonly status: Status;
  /** How far each milestone is; those left out are neither reached nor expected. */
  readonly milestones?: readonly (MilestoneProgress & { readonly id: MilestoneId })[];
}

/** A diagram whose edges may only lead from and to its nodes. */
export interface DiagramOf<Node extends string, End extends string> extends Diagram {
  /** The statuses, each with its label. */
  readonly nodes: readonly { readonly id: Node; readonly label: string }[];
  /** The transitions from one node to another, by the nodes' ids. */
  readonly edges: readonly {
    readonly from: LiteralIn<End, Node>;
    readonly to: LiteralIn<End, Node>;
    readonly label: string;
  }[];
}

/**
 * The type of `describe`, or a sentence that says which name in it is not declared: the compiler prints that
 * sentence as the type that `describe` should have had. Names that are computed at run time pass; the runtime
 * checks them.
 */
export type DescribeOf<
  State,
  Declared extends { readonly status: string; readonly milestone: string },
  Status extends string,
  MilestoneId extends string,
> = [
  | Undeclared<'status', Status, Declared['status'], 'statuses'>
  | Undeclared<'milestone', MilestoneId, Declared['milestone'], 'milestones'>,
] extends [infer Wrong extends string]
  ? [Wrong] extends [never]
    ? Describe<State, Status, MilestoneId>['describe']
    : Wrong
  : never;

// A method, so that its parameter is compared as `Model` compares it.
interface Describe<State, Status extends string, MilestoneId extends string> {
  describe(state: State): DescriptionOf<Status, MilestoneId>;
}

type Undeclared<
  Kind extends string,
  Name extends string,
  Declared extends string,
  List extends string,
> = Name extends Declared
  ? never
  : IsLiteral<Name> extends true
    ? `describe gives the ${Kind} '${Name}', which is not in ${List}`
    : never;

/** The declared names for a literal, so that the compiler suggests one of them; any other string as it is. */
type LiteralIn<Name extends string, Declared extends string> =
  IsLiteral<Name> extends true ? NoInfer<Declared> : Name;

/** False for `string` and for template literal types, whose values are known at run time only. */
type IsLiteral<Name extends string> = {} extends Record<Name, unknown> ? false : true;
