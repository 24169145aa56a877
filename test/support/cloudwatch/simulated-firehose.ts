import type { MetricSamples } from './metric-samples.ts';

/** The number of minutes for which Firehose buffers records before it delivers them. */
const bufferMinutes = 15;

/**
 * Simulates the delivery of records by Firehose, and reports the age of the oldest record that has not been delivered.
 *
 * @param arrivals when each record arrives, in seconds, in ascending order
 * @param behavior whether deliveries succeed (`runs`) or fail in a minute
 * @param freshness the metric that receives the age of the oldest record that has not been delivered, in seconds
 */
export function simulateFirehose(
  arrivals: readonly number[],
  minutes: number,
  behavior: (minute: number) => 'runs' | 'fails',
  freshness: MetricSamples,
): void {
  let delivered = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const now = (minute + 1) * 60;
    const oldest = arrivals[delivered];
    if (oldest !== undefined && oldest < now) freshness.add(minute, now - oldest);
    if (minute % bufferMinutes === 0 && behavior(minute) === 'runs')
      while (arrivals[delivered]! < now) delivered++;
  }
}
