import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';

/** The owner of running code. */
export type Owner = 'AWS SDK' | 'Milepost' | 'other packages' | 'Node.js' | 'garbage' | 'native';

/**
 * Computes the running time of each owner's code in milliseconds. Node.js functions that an owner's code calls count as
 * the owner's. Other Node.js code, such as the handling of socket events, counts as `Node.js`.
 *
 * @param bundle the bundle that ran, with its source map next to it
 */
export function timeByOwner(profile: Profiler.Profile, bundle: string): Map<Owner, number> {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as never);
  const owners = ownersOf(profile.nodes, (frame) => ownerOf(frame, bundle, map));
  const times = new Map<Owner, number>();
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const owner = owners.get(id);
    if (!owner) continue;
    times.set(owner, (times.get(owner) ?? 0) + profile.timeDeltas![index]! / 1_000);
  }
  return times;
}

/** Returns the owner of each node of the call tree. Idle nodes have no owner. */
function ownersOf(
  nodes: readonly Profiler.ProfileNode[],
  own: (frame: Frame) => Owner | 'idle' | 'caller',
): Map<number, Owner> {
  const owners = new Map<number, Owner>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const walk = (id: number, caller: Owner | undefined): void => {
    const node = byId.get(id)!;
    const found = own(node.callFrame);
    const owner = found === 'caller' ? caller : found;
    if (owner === 'idle') return;
    owners.set(id, owner ?? 'Node.js');
    for (const child of node.children ?? []) walk(child, owner);
  };
  walk(nodes[0]!.id, undefined);
  return owners;
}

type Frame = Profiler.ProfileNode['callFrame'];

function ownerOf(
  { functionName, url, lineNumber, columnNumber }: Frame,
  bundle: string,
  map: SourceMap,
): Owner | 'idle' | 'caller' {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage';
  if (functionName === '(program)') return 'native';
  if (!url.endsWith(bundle)) return 'caller';
  const entry = map.findEntry(lineNumber, columnNumber);
  const source = 'originalSource' in entry ? entry.originalSource : '';
  if (/node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws)\//.test(source)) return 'AWS SDK';
  return source.includes('node_modules/') ? 'other packages' : 'Milepost';
}
