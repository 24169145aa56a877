import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Trace } from '../../pure/path-taken.ts';
import { useCentered } from '../use-centered.ts';
import type * as layout from './layout-diagram.ts';
import type { DiagramLayout } from './layout-diagram.ts';

/** A model's diagram, with an instance's path and current status highlighted. */
export function DiagramView({ trace, label }: { readonly trace: Trace; readonly label: string }) {
  const placed = useDiagramLayout(trace);
  const start = trace.present === undefined ? '.node' : '.present';
  const region = useCentered(start, placed && `${placed.height} ${trace.present}`);
  return (
    <div
      ref={region}
      class="diagram scroll hinted"
      role="group"
      tabIndex={0}
      aria-label={label}
      style={
        placed && {
          '--width': `${Math.ceil(placed.width)}px`,
          '--height': `${Math.ceil(placed.height)}px`,
          '--ratio': placed.height / placed.width,
        }
      }
    >
      {placed && placed.nodes.length > 0 && (
        <Drawing placed={placed} present={trace.present} label={label} />
      )}
    </div>
  );
}

/** Returns the layout of a diagram. Loads the layout library on first use. Highlighting does not change the layout. */
function useDiagramLayout(trace: Trace): DiagramLayout | undefined {
  const [place, setPlace] = useState<typeof layout.layoutDiagram>();
  const [wrong, setWrong] = useState<unknown>();
  useEffect(() => {
    import('./layout-diagram.ts').then(
      ({ layoutDiagram }) => setPlace(() => layoutDiagram),
      setWrong,
    );
  }, []);
  if (wrong) throw wrong;
  const shape = JSON.stringify([
    trace.nodes.map(({ id, label }) => [id, label]),
    trace.edges.map(({ from, to, label }) => [from, to, label]),
  ]);
  const laid = useMemo(() => place?.(trace), [place, shape]);
  return useMemo(
    () =>
      laid && {
        ...laid,
        nodes: laid.nodes.map((node, at) => ({ ...node, been: trace.nodes[at]!.been })),
        edges: laid.edges.map((edge, at) => ({ ...edge, taken: trace.edges[at]!.taken })),
      },
    [laid, trace],
  );
}

function Drawing({
  placed: { width, height, nodes, edges },
  present,
  label,
}: {
  readonly placed: DiagramLayout;
  readonly present: string | undefined;
  readonly label: string;
}) {
  // Draw the edges of the path last, on top of the other edges.
  const ordered = edges.toSorted((a, b) => Number(a.taken) - Number(b.taken));
  return (
    <svg
      viewBox={`0 0 ${Math.ceil(width)} ${Math.ceil(height)}`}
      role="img"
      aria-label={diagramDescription(label, nodes, present)}
    >
      <defs>
        {['arrow', 'arrow-taken'].map((id) => (
          <marker
            key={id}
            id={id}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0.5 8 4 0 7.5z" />
          </marker>
        ))}
      </defs>
      {ordered.map(({ from, to, label: text, shown, path, taken, at }, index) => (
        <g key={index} class={taken ? 'edge taken' : 'edge'}>
          <title>{`${from} → ${to}: ${text}`}</title>
          <path d={path} marker-end={taken ? 'url(#arrow-taken)' : 'url(#arrow)'} />
          <rect
            x={at.x - at.width / 2}
            y={at.y - at.height / 2}
            width={at.width}
            height={at.height}
            rx="3"
          />
          <text x={at.x} y={at.y}>
            {shown}
          </text>
        </g>
      ))}
      {nodes.map(({ id, label: text, shown, been, x, y, width: w, height: h }) => (
        <g key={id} class={`node${been ? ' taken' : ''}${id === present ? ' present' : ''}`}>
          {shown === text ? null : <title>{text}</title>}
          <rect x={x - w / 2} y={y - h / 2} width={w} height={h} rx="7" />
          <text x={x} y={y}>
            {shown}
          </text>
        </g>
      ))}
    </svg>
  );
}

function diagramDescription(
  label: string,
  nodes: Trace['nodes'],
  present: string | undefined,
): string {
  const been = nodes.filter((node) => node.been).map((node) => node.label);
  if (been.length === 0) return `${label}: ${nodes.map((node) => node.label).join(', ')}`;
  return `${label}: path through ${been.join(', ')}; now ${present}`;
}
