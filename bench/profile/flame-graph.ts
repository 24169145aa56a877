import type { CallNode } from '../cpu/profile.ts';

/** The height of a bar and the width of the drawing, in pixels. */
const height = 17;
const width = 1_200;
/** The minimum width of a bar, in pixels. Functions with narrower bars are omitted. */
const least = 0.4;
/** The average width of a character, in pixels. */
const characterWidth = 6.6;

/** All calls that one caller made to a function. */
interface Frame {
  readonly name: string;
  readonly source: string | undefined;
  readonly children: readonly Frame[];
  /** How much time was spent in the function and in the functions that it called, in milliseconds. */
  readonly time: number;
}

/**
 * Draws a flame graph: each function is a bar above the function that called it, as wide as its share of the time. The
 * title of each bar contains the function's name, source, time, and share.
 *
 * @param title the heading of the drawing.
 * @param trees the call trees to draw side by side, by process name.
 * @returns an SVG document.
 */
export function flameGraph(title: string, trees: Readonly<Record<string, CallNode>>): string {
  const processes = Object.entries(trees).map(([name, tree]) => ({ ...frameOf([tree]), name }));
  const time = processes.reduce((sum, each) => sum + each.time, 0);
  const all: Frame = { name: 'all', source: undefined, children: processes, time };
  const scale = width / time;
  const rows = depthOf(all, least / scale);
  const bars: string[] = [];
  const draw = (frame: Frame, x: number, row: number): void => {
    if (frame.time * scale < least) return;
    bars.push(bar(frame, { x: x * scale, y: (rows - row) * height + 24, scale, all: time }));
    let next = x;
    for (const child of frame.children) {
      draw(child, next, row + 1);
      next += child.time;
    }
  };
  draw(all, 0, 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${rows * height + 30}" font-family="monospace" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${width / 2}" y="16" text-anchor="middle" font-size="14">${escaped(title)}</text>
${bars.join('\n')}
</svg>
`;
}

/** Merges calls of the same function into a frame. */
function frameOf(nodes: readonly CallNode[]): Frame {
  const [{ name, source }] = nodes as [CallNode, ...CallNode[]];
  const called = Map.groupBy(
    nodes.flatMap(({ children }) => children),
    (node) => `${node.name}\n${node.source}`,
  );
  const children = [...called.values()].map(frameOf).toSorted((a, b) => b.time - a.time);
  const own = nodes.reduce((sum, { self }) => sum + self, 0);
  return {
    name: name || '(anonymous)',
    source,
    children,
    time: children.reduce((sum, child) => sum + child.time, own),
  };
}

function depthOf({ children, time }: Frame, least: number): number {
  if (time < least) return 0;
  return 1 + Math.max(0, ...children.map((child) => depthOf(child, least)));
}

function bar(
  { name, source, time }: Frame,
  { x, y, scale, all }: { x: number; y: number; scale: number; all: number },
): string {
  const place = source === undefined ? '' : ` in ${shortened(source)}`;
  const share = ((100 * time) / all).toFixed(1);
  const title = `${name}${place}: ${time.toFixed(1)} ms, ${share}%`;
  const room = Math.floor((time * scale - 4) / characterWidth);
  const label = room < 3 ? '' : name.length <= room ? name : `${name.slice(0, room - 1)}…`;
  return (
    `<g><title>${escaped(title)}</title>` +
    `<rect x="${x.toFixed(1)}" y="${y}" width="${(time * scale).toFixed(1)}" height="${height - 1}" fill="${color(source)}"/>` +
    `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(label)}</text></g>`
  );
}

/**
 * Returns the color of a bar: orange for models and the core, yellow for the rest of Milepost, green for packages, and
 * gray for Node.js and the runtime.
 */
function color(source: string | undefined): string {
  if (source === undefined) return '#d4d4d8';
  if (source.includes('node_modules/')) return '#a7d7a0';
  return source.includes('/src/core/') || source.includes('/models/') ? '#f6b26b' : '#ffd966';
}

/** Returns a source file's path within the repository, or the whole path if the file is elsewhere. */
function shortened(source: string): string {
  const [, path = source] = /((?:src|lambdas|models|node_modules)\/.*)$/.exec(source) ?? [];
  return path;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
