import { type Check, failed, ok, warning } from './check.ts';
import type { Installation } from './installation.ts';
import { countText, durationText } from './phrases.ts';

/** Checks that a stream accepts records. */
export function streamCheck(id: string, name: string, { streams }: Installation): Check {
  return {
    id,
    async run() {
      const stream = await streams.read(name);
      if (!stream) return failed(`the stream ${name} does not exist, so events are rejected`);
      const { status, openShards, retentionHours } = stream;
      if (status === 'CREATING')
        return warning(`${name} is being created; wait a minute and check again`);
      // A stream that is being updated, for example while it scales, accepts and returns records.
      if (status !== 'ACTIVE' && status !== 'UPDATING')
        return failed(`${name} is ${status.toLowerCase()}, so events are rejected`);
      const retention = durationText(retentionHours * 3_600_000);
      return ok(`${name} is active: ${countText(openShards, 'shard')}, ${retention} of retention`);
    },
  };
}
