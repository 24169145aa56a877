import type { Diagram, Entry } from '../api/types.ts';

/** An edge of a diagram, and whether an instance took it. */
export interface TracedEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly taken: boolean;
}

/** A model's diagram with the path that an instance took through it. */
export interface Trace {
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly been: boolean;
  }[];
  readonly edges: readonly TracedEdge[];
  /** The current status, which is the id of a node; undefined until an event is applied. */
  readonly present: string | undefined;
}

type Step = Pick<Entry, 'outcome' | 'status'> & { readonly event: Pick<Entry['event'], 'type'> };

/**
 * Finds the path of an instance through its model's diagram. Adds an edge, labeled with the event type, for each status
 * change that is missing from the diagram.
 *
 * @param diagram the model's diagram. If it is null, the diagram consists of the statuses in the history.
 * @param steps the history, oldest first.
 */
export function pathTaken(diagram: Diagram | null, steps: readonly Step[]): Trace {
  const applied = steps.filter(({ outcome }) => outcome === 'applied');
  const been = new Set(applied.map(({ status }) => status));
  const known = diagram?.nodes ?? [];
  const edges = diagram?.edges ?? [];
  const taken = new Set<Diagram['edges'][number]>();
  const added = new Map<string, TracedEdge>();

  // Before its first event, an instance is at the first node.
  const start = known[0]?.id;
  const [first] = applied;
  let from = edges.some(
    (edge) => edge.from === start && edge.to === first?.status && edge.to !== start,
  )
    ? start
    : undefined;
  if (from !== undefined) been.add(from);
  for (const { status: to, event } of applied) {
    const between = edges.filter((edge) => edge.from === from && edge.to === to);
    const named = between.filter(({ label }) => words(label).includes(words(event.type)));
    const went = from === to || named.length > 0 ? named : between;
    for (const edge of went) taken.add(edge);
    if (from !== undefined && from !== to && between.length === 0)
      added.set(`${from}\n${to}`, { from, to, label: words(event.type), taken: true });
    from = to;
  }

  const ids = new Set(known.map(({ id }) => id));
  const further = [...been].filter((id) => !ids.has(id)).map((id) => ({ id, label: id }));
  return {
    nodes: [...known, ...further].map(({ id, label }) => ({ id, label, been: been.has(id) })),
    edges: [
      ...edges.map(({ from: a, to: b, label }, index) => ({
        from: a,
        to: b,
        label,
        taken: taken.has(edges[index]!),
      })),
      ...added.values(),
    ],
    present: applied.at(-1)?.status,
  };
}

const words = (text: string) => text.toLowerCase().replaceAll(/[.\s_-]+/g, ' ');
