export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** A period with data (true if it breaches the threshold), or undefined for a period without data. */
export type Datapoint = boolean | undefined;

/** The settings that determine the state of an alarm in CloudWatch. */
export interface StateRule {
  /** N: the number of evaluated periods. */
  readonly evaluationPeriods: number;
  /** M: the number of these periods that must breach. */
  readonly datapointsToAlarm: number;
  readonly treatMissingData: 'missing' | 'ignore' | 'breaching' | 'notBreaching';
}

/**
 * Decides the state of an alarm by CloudWatch's documented rules: CloudWatch evaluates the N most recent periods with
 * data in the evaluation range, and treats missing data as configured only if fewer than N periods have data.
 *
 * @param range the periods of the evaluation range, oldest first. There are more than N.
 * @param previous the current state, which `ignore` can retain
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function alarmStateOf(
  { evaluationPeriods, datapointsToAlarm, treatMissingData }: StateRule,
  range: readonly Datapoint[],
  previous: AlarmState,
): AlarmState {
  const real = range.filter((point) => point !== undefined).slice(-evaluationPeriods);
  const missing = evaluationPeriods - real.length;
  const breaching = real.filter(Boolean).length;
  if (missing > 0 && (treatMissingData === 'missing' || treatMissingData === 'ignore')) {
    if (real.length === 0) return treatMissingData === 'ignore' ? previous : 'INSUFFICIENT_DATA';
    // The alarm also goes off if all existing data points breach and the oldest is at least M periods old, even if
    // fewer than M periods have data.
    const oldest = range.slice(-evaluationPeriods).findIndex((point) => point !== undefined);
    const isOldEnough = oldest !== -1 && evaluationPeriods - oldest >= datapointsToAlarm;
    if (isOldEnough && breaching === real.length)
      return treatMissingData === 'ignore' ? previous : 'ALARM';
  }
  const filled = treatMissingData === 'breaching' ? missing : 0;
  return breaching + filled >= datapointsToAlarm ? 'ALARM' : 'OK';
}
