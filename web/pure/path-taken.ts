import type { Diagram, Entry } from '../api/types.ts';

/** A diagram's edge, and how often an instance went along it. */
export interface TracedEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly taken: boolean;
}

/** A diagram with the way that an instance took. */
export interface Trace {
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly been: boolean;
  }[];
  readonly edges: readonly TracedEdge[];
  /** The status that it has now. */
  readonly present: string | undefined;
}

type Step = Pick<Entry, 'outcome' | 'status'> & { readonly event: Pick<Entry['event'], 'type'> };

/**
 * Finds the way that an instance took through its model's diagram. Where it went a way that the
 * diagram does not have, or where there is none, that way is added, named by its event.
 *
 * @param diagram null: made of the statuses in the history.
 * @param steps its history, oldest first.
 */
export function pathTaken(diagram: Diagram | null, steps: readonly Step[]): Trace {
  const applied = steps.filter(({ outcome }) => outcome === 'applied');
  const been = new Set(applied.map(({ status }) => status));
  const known = diagram?.nodes ?? [];
  const edges = diagram?.edges ?? [];
  const taken = new Set<Diagram['edges'][number]>();
  const added = new Map<string, TracedEdge>();

  // Before its first event an instance is where the diagram begins.
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
