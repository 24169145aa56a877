import pMap from 'p-map';
import type {
  Observed,
  ObservedEntry,
  ObservedHistory,
  ObservedInstance,
  ObservedLetter,
  ObservedSummary,
} from './observed.ts';
import { readJson, readPages } from './read-pages.ts';

const concurrency = 6;

/** The identity of an instance. */
export interface InstanceName {
  readonly model: string;
  readonly transaction: string;
}

/**
 * Reads everything through the HTTP API: the lists, the dead letters, and the given and listed instances with their
 * histories.
 */
export async function observe(api: string, known: readonly InstanceName[]): Promise<Observed> {
  const listed = await readPages<ObservedSummary>(api, '/api/instances', 'instances');
  const names = new Map<string, InstanceName>();
  for (const { model, transaction } of [...known, ...listed])
    names.set(JSON.stringify([model, transaction]), { model, transaction });
  const histories = await pMap(names.values(), (name) => readHistory(api, name), { concurrency });
  const deadLetters = await readPages<ObservedLetter>(api, '/api/dead-letters', 'deadLetters');
  const { ok: isHealthy } = await fetch(`${api}/api/health`);
  return {
    histories: histories.filter((history) => history !== undefined),
    listed,
    deadLetters,
    isHealthy,
  };
}

async function readHistory(
  api: string,
  { model, transaction }: InstanceName,
): Promise<ObservedHistory | undefined> {
  const path = `/api/instances/${model}/${encodeURIComponent(transaction)}`;
  const instance = await readJson<ObservedInstance>(`${api}${path}`);
  if (!instance) return undefined;
  const entries = await readPages<ObservedEntry>(api, `${path}/history`, 'entries');
  return { instance, entries };
}
