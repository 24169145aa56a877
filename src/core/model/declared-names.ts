import type { Description, Diagram, MilestoneProgress } from './description.ts';

/** A description whose status and milestone names the compiler knows. */
export interface DescriptionOf<Status extends string, MilestoneId extends string>
  extends Omit<Description, 'status' | 'milestones'> {
  /** One of the model's statuses. */
  readonly status: Status;
  /** The progress of each milestone. Omitted milestones are neither reached nor expected. */
  readonly milestones?: readonly (MilestoneProgress & { readonly id: MilestoneId })[] | undefined;
}

/** A diagram whose edges can connect only its own nodes. */
export interface DiagramOf<Node extends string, End extends string> extends Diagram {
  /** One node for each status, with its display name. */
  readonly nodes: readonly { readonly id: Node; readonly label: string }[];
  /** The possible transitions between statuses, by the ids of their nodes. */
  readonly edges: readonly {
    readonly from: LiteralIn<End, Node>;
    readonly to: LiteralIn<End, Node>;
    readonly label: string;
  }[];
}

/**
 * The type of `describe`. If the function returns an undeclared name, the type is instead an error message, which the
 * compiler prints as the expected type. The compiler accepts names that are computed at run time, and it accepts any
 * name if the function has no parameter. Milepost checks these names when `describe` returns.
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

// Declared as a method, like `describe` in `Model`, because the compiler compares method parameters bivariantly.
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
    ? `describe returns the ${Kind} '${Name}', which is not in ${List}`
    : never;

/**
 * If the name is a literal, resolves to the declared names, which the compiler then suggests. Any other string type
 * remains unchanged.
 */
type LiteralIn<Name extends string, Declared extends string> =
  IsLiteral<Name> extends true ? NoInfer<Declared> : Name;

/** False for `string` and for template literal types, whose values are known only at run time. */
type IsLiteral<Name extends string> = {} extends Record<Name, unknown> ? false : true;
