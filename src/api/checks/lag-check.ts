import type { Clock } from '../../common/clock.ts';
import { type Check, failed, ok, warning } from './check.ts';
import type { Consumer, Installation, MetricValue, Monitoring } from './installation.ts';
import { countText, durationText } from './phrases.ts';

/** The length of the checked period in minutes. */
const period = 15;
/** How long it takes until the metrics of a minute are complete, in milliseconds. */
const metricDelay = 3 * 60_000;
/** The minimum ages of records that result in a warning and in a failure, in milliseconds. */
const [late, veryLate] = [60_000, 15 * 60_000];

/** Checks how long a stream's records wait before their consumer receives them. */
export function lagCheck(
  id: string,
  { name, functionName, mapping, logGroup }: Consumer,
  stream: string,
  {
    monitoring,
    awsCommand,
    clock,
  }: Pick<Installation, 'awsCommand'> & { readonly monitoring: Monitoring; readonly clock: Clock },
): Check {
  return {
    id,
    async run() {
      const [ages = [], invocations = [], incoming = []] = await monitoring.values(
        [
          { kind: 'iterator age', functionName },
          { kind: 'invocations', functionName },
          { kind: 'incoming records', stream },
        ],
        period,
      );
      const settled = incoming.filter(({ at }) => at < clock.now() - metricDelay);
      if (sum(invocations) === 0 && sum(settled) > 0)
        return failed(
          `${countText(sum(settled), 'record')} arrived in the last ${period} minutes, but the ${name} was not invoked`,
          awsCommand(`aws lambda get-event-source-mapping --uuid ${mapping}`),
        );
      const [latest] = ages;
      if (!latest) return ok(`no records are waiting; none arrived in the last ${period} minutes`);
      const detail = `the last record in a recent batch had waited for ${durationText(latest.value)}`;
      if (latest.value < late) return ok(detail);
      const found = latest.value < veryLate ? warning : failed;
      return found(detail, awsCommand(`aws logs tail ${logGroup} --since ${period}m`));
    },
  };
}

const sum = (values: readonly MetricValue[]) =>
  values.reduce((total, { value }) => total + value, 0);
