import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';

/** A function in a profile's call tree, with the functions that it called. */
export interface CallNode {
  /** The function's name. For work outside of JavaScript, V8's name, such as `(garbage collector)`. */
  readonly name: string;
  /** The source file of the function. Undefined for code outside of the bundle, such as Node.js itself. */
  readonly source: string | undefined;
  /** How much time was spent in the function itself, in milliseconds. */
  readonly self: number;
  readonly children: readonly CallNode[];
}

/** The owners of running code without a source file: Node.js, garbage collection, and code outside of JavaScript. */
export type Runtime = 'Node.js' | 'garbage' | 'native';

/** The package or the part of the runtime to which running code belongs. */
export type Owner = 'AWS SDK' | 'Milepost' | 'other packages' | Runtime;

/** The node in which V8 counts idle time. */
const idle = '(idle)';

const runtimeNodes: ReadonlyMap<string, Runtime> = new Map([
  ['(garbage collector)', 'garbage'],
  ['(program)', 'native'],
]);

/**
 * Reads the call tree of a profile, without idle time.
 *
 * @param bundle the bundle that ran, with its source map next to it.
 */
export function callTree(profile: Profiler.Profile, bundle: string): CallNode {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as never);
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const times = new Map<number, number>();
  for (const [index, id] of (profile.samples ?? []).entries())
    times.set(id, (times.get(id) ?? 0) + profile.timeDeltas![index]! / 1_000);
  const sourceOf = ({ url, lineNumber, columnNumber }: Profiler.ProfileNode['callFrame']) => {
    if (!url.endsWith(bundle)) return undefined;
    const entry = map.findEntry(lineNumber, columnNumber);
    return 'originalSource' in entry ? entry.originalSource : '';
  };
  const read = ({ id, callFrame, children = [] }: Profiler.ProfileNode): CallNode => ({
    name: callFrame.functionName,
    source: sourceOf(callFrame),
    self: times.get(id) ?? 0,
    children: children
      .map((child) => byId.get(child)!)
      .filter((child) => child.callFrame.functionName !== idle)
      .map(read),
  });
  return read(profile.nodes[0]!);
}

/**
 * Computes the running time of each group of source files, in milliseconds. Node.js functions that a source file calls
 * count as part of the file. Other Node.js code, such as the handling of socket events, counts as `Node.js`.
 */
export function timeBySource<Group extends string>(
  tree: CallNode,
  groupOf: (source: string) => Group,
): Map<Group | Runtime, number> {
  const times = new Map<Group | Runtime, number>();
  const walk = ({ name, source, self, children }: CallNode, caller: Group | Runtime): void => {
    const own = source === undefined ? caller : groupOf(source);
    const group = runtimeNodes.get(name) ?? own;
    times.set(group, (times.get(group) ?? 0) + self);
    for (const child of children) walk(child, group);
  };
  walk(tree, 'Node.js');
  return times;
}

/** Computes the running time of each owner's code in milliseconds. See `timeBySource`. */
export function timeByOwner(tree: CallNode): Map<Owner, number> {
  return timeBySource(tree, (source): Owner => {
    if (/node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws)\//.test(source)) return 'AWS SDK';
    return source.includes('node_modules/') ? 'other packages' : 'Milepost';
  });
}
