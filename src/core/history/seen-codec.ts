import { BitReader, BitWriter } from './bit-stream.ts';
import type { Seen } from './seen.ts';
import type { SeenRun } from './seen-runs.ts';

/**
 * Encodes a commit's seen events: the runs, followed by the recent fingerprints if the commit is a base. Otherwise, the
 * version of its base and the fingerprints since the base follow the runs.
 */
export function encodeSeen({ runs, base, recent, since }: Seen, version: number): Uint8Array {
  const writer = new BitWriter();
  writer.number(runs.length);
  for (const { to, flushes, count } of runs) {
    writer.number(to);
    writer.number(flushes);
    writer.number(count);
  }
  if (base === version && recent !== 'elsewhere') {
    writer.bit(1);
    writer.rising(recent);
  } else {
    writer.bit(0);
    writer.number(base);
    writer.rising(since);
  }
  return writer.bytes();
}

/**
 * Decodes the output of `encodeSeen`. If the base is an earlier commit, `recent` is `elsewhere`.
 *
 * @throws RangeError if the bytes are truncated.
 */
export function decodeSeen(bytes: Uint8Array, version: number): Seen {
  const reader = new BitReader(bytes);
  const runs = Array.from({ length: reader.number() }, (): SeenRun => {
    const to = reader.number();
    const flushes = reader.number();
    return { to, flushes, count: reader.number() };
  });
  if (reader.bit()) return { runs, base: version, recent: reader.rising(), since: [] };
  const base = reader.number();
  return { runs, base, recent: base === 0 ? [] : 'elsewhere', since: reader.rising() };
}
