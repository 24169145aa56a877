import type { Item } from '../../support/aws-in-memory/dynamodb-expressions.ts';

/**
 * Compares all counters of the current generation with the status rows. Reads the raw items and shares no code with
 * the runtime.
 */
export function auditCounts(instances: readonly Item[], counters: readonly Item[]): string[] {
  const state =
    counters.find(({ pk }) => pk!.S === 'state')?.state?.S ?? '{"current":{"number":0}}';
  const { current } = JSON.parse(state) as { current: { number: number } };
  const expected = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, by: number) =>
    counts.set(name, (counts.get(name) ?? 0) + by);
  for (const row of instances.filter(({ sk }) => sk!.S === 'STATUS'))
    for (const name of namesOf(row)) add(expected, name, 1);
  const found = new Map<string, number>();
  for (const { pk, sk, ...attributes } of counters) {
    const [kind, generation, group, model] = pk!.S!.split('#');
    if (kind !== 'count' || Number(generation) !== current.number) continue;
    for (const [attribute, { N }] of Object.entries(attributes)) {
      if (N === undefined) continue;
      const isShared = group === 'totals' || group === 'deadlines';
      const name = isShared ? attribute.slice('total:'.length) : sk!.S!;
      add(found, `${model} ${group} ${name}`, Number(N));
    }
  }
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((name) => {
    const [wanted, is] = [expected.get(name) ?? 0, found.get(name) ?? 0];
    return wanted === is ? [] : [`the counter ${name} is ${is} instead of ${wanted}`];
  });
}

function namesOf({ pk, status, startedAt, parked, late, deadlines, businessKeys }: Item): string[] {
  if (!status) return [];
  const model = pk!.S!.split('#')[0];
  const keys = JSON.parse(businessKeys?.S ?? '[]') as string[];
  return [
    ...(startedAt?.S
      ? [`${model} totals status:${status.S}`, `${model} day ${startedAt.S.slice(0, 10)}`]
      : []),
    ...(Number(parked?.N ?? 0) > 0 ? [`${model} totals parked`] : []),
    ...(late && startedAt?.S ? [`${model} totals late`] : []),
    ...(JSON.parse((startedAt?.S && deadlines?.S) || '[]') as string[]).map(
      (name) => `${model} deadlines ${name}`,
    ),
    ...keys.map((key) => {
      const [name] = key.split(':', 1);
      return `${model} key:${name} ${key.slice(name!.length + 1)}`;
    }),
  ];
}
