import { type CallNode, timeBySource } from '../cpu/profile.ts';

/** The areas of work in the table of a profile, in the order of its rows, and the source files of each area. */
const areas = [
  [
    'reading, routing, and grouping records',
    /(^|\/)src\/(dispatcher|stream|parking)\/|\/src\/aws\/stream\//,
  ],
  ['folding: state, history, duplicates', /\/src\/core\//],
  ['the model and the validation of data', /\/models\/|node_modules\/valibot/],
  ['the model runtime: reads, commits, tails', /\/src\/model-runtime\//],
  [
    'items: encoding, compression',
    /\/src\/aws\/(instances|dead-letters|keys|lists|notifications|registry)\//,
  ],
  ['requests: signing, JSON, sending', /\/src\/aws\/|node_modules\/(aws4fetch|@smithy|@aws-sdk)/],
] as const;

const elsewhere = 'other code';

/**
 * Returns the CPU time that each area uses per event, in microseconds. Code outside of the areas, Node.js itself,
 * garbage collection, and code outside of JavaScript come last.
 */
export function microsecondsByArea(
  trees: readonly CallNode[],
  events: number,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [area, time] of trees.flatMap((tree) => [...timeBySource(tree, areaOf)]))
    sums.set(area, (sums.get(area) ?? 0) + time);
  const order = [
    ...areas.map(([name]) => name),
    elsewhere,
    'Node.js: sockets, timers, streams',
    'garbage collection',
    'outside of JavaScript',
  ];
  sums.set('Node.js: sockets, timers, streams', sums.get('Node.js') ?? 0);
  sums.set('garbage collection', sums.get('garbage') ?? 0);
  sums.set('outside of JavaScript', sums.get('native') ?? 0);
  return Object.fromEntries(order.map((name) => [name, ((sums.get(name) ?? 0) / events) * 1_000]));
}

function areaOf(source: string): string {
  return areas.find(([, pattern]) => pattern.test(source))?.[0] ?? elsewhere;
}
