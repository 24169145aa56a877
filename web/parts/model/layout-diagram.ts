import { Graph, layout } from '@dagrejs/dagre';
import type { Trace, TracedEdge } from '../../pure/path-taken.ts';

/** A diagram with the positions of its parts, in pixels. */
export interface DiagramLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (Trace['nodes'][number] & Labeled & Box)[];
  readonly edges: readonly (TracedEdge & Labeled & { readonly path: string; readonly at: Box })[];
}

interface Labeled {
  /** The label as drawn, which is shortened if it is long. */
  readonly shown: string;
}

interface Box {
  /** The center of the node or label. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const nodeHeight = 30;
const labelHeight = 16;
/** The maximum length of a label in characters. The tooltip shows the full text. */
const labelLetters = 34;

/** Computes the layout of a diagram, from top to bottom. */
export function layoutDiagram({ nodes, edges }: Pick<Trace, 'nodes' | 'edges'>): DiagramLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, edgesep: 12, ranksep: 24, marginx: 4, marginy: 4 });
  const wide = ruler();
  // Measure all nodes in the bold weight of the current node.
  for (const { id, label } of nodes)
    graph.setNode(id, { width: wide(shortened(label), 13, 600) + 26, height: nodeHeight });
  edges.forEach(({ from, to, label }, index) => {
    const size = { width: wide(shortened(label), 11, 400) + 6, height: labelHeight, labelpos: 'c' };
    graph.setEdge(from, to, size, String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => ({
      ...node,
      ...(graph.node(node.id) as Box),
      shown: shortened(node.label),
    })),
    edges: edges.map((edge, index) => {
      const { points, ...at } = graph.edge(edge.from, edge.to, String(index)) as Box & {
        points: Point[];
      };
      const path = edge.from === edge.to ? loop(graph.node(edge.from) as Box, at) : smooth(points);
      return { ...edge, shown: shortened(edge.label), path, at };
    }),
  };
}

function shortened(label: string): string {
  // Count code points so that the cut does not split an emoji's surrogate pair.
  const letters = Array.from(label);
  return letters.length > labelLetters ? `${letters.slice(0, labelLetters - 1).join('')}…` : label;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns a smooth SVG path: a curve through the midpoints between the points, which serve as control points. */
function smooth([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1]!;
    const isLast = index === rest.length - 2;
    const end = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${bends.length > 0 ? bends.join('') : `L${at(rest.at(-1) ?? first)}`}`;
}

/** Returns an SVG path from the right side of a node around the label and back. */
function loop({ x, y, width }: Box, label: Box): string {
  const side = x + width / 2;
  return `M${side} ${y - 8}C${label.x} ${y - 24} ${label.x} ${y + 24} ${side} ${y + 8}`;
}

function ruler(): (text: string, pixels: number, weight: number) => number {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  return (text, pixels, weight) => {
    if (!context) return text.length * pixels * 0.6;
    context.font = `${weight} ${pixels}px ${family}`;
    return context.measureText(text).width;
  };
}
