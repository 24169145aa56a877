import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { HistoryEntry } from '../../../src/core/history/history-entry.ts';
import {
  addFingerprints,
  emptySeen,
  fingerprintOf,
  type Seen,
} from '../../../src/core/history/seen.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const start = Date.UTC(2026, 0, 1);

/** A commit with one entry and default values. Each version is one second later than the previous version. */
export function commitOf(key: InstanceKey, version: number, more: Partial<Commit> = {}): Commit {
  return {
    ...key,
    version,
    at: toIso(start + version * 1000),
    startedAt: toIso(start + 1000),
    statusSince: toIso(start + 1000),
    modelVersion: 1,
    progress: null,
    lateAt: null,
    riskAt: null,
    description: { status: 'Open' },
    entries: [entryOf(key, { state: `{"version":${version}}` }, `e${version}`)],
    state: `{"version":${version}}`,
    timers: [],
    changes: {},
    seen: seenAfter(version % 100, version),
    highWaterMarks: { 'shard-0': String(version) },
    ...more,
  };
}

/** An applied entry with default values. */
export function entryOf(
  key: InstanceKey,
  more: Partial<HistoryEntry> = {},
  id = 'e1',
): HistoryEntry {
  return {
    event: { ...key, id, source: 'test', type: 'moved', time: toIso(start) },
    data: '{}',
    outcome: 'applied',
    reason: null,
    status: 'Open',
    state: '{"version":1}',
    effects: [],
    ...more,
  };
}

/** Returns the seen events of an instance with the given number of events, all in one commit. */
export function seenAfter(events: number, version = 1): Seen {
  const names = Array.from({ length: events }, (_, i) => ({ source: 'test', id: `seen${i}` }));
  return addFingerprints(
    emptySeen,
    names.map((name) => fingerprintOf(name)),
    version,
  );
}
