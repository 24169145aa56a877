import type { Clock } from '../../common/clock.ts';
import { type Check, failed, ok } from './check.ts';
import type { Installation } from './installation.ts';
import { durationText } from './phrases.ts';

/**
 * The delay of a timer above which the check fails, in milliseconds. The clock runs every minute, and a run takes up to
 * a minute.
 */
const tolerance = 3 * 60_000;

/** Checks that timers fire when they are due, and that instances are marked when they become late. */
export function clockCheck(
  { dueTimers, clockRule, awsCommand }: Installation,
  clock: Clock,
): Check {
  return {
    id: 'clock',
    async run() {
      const [earliest, isEnabled] = await Promise.all([
        dueTimers.earliest(),
        clockRule?.isEnabled(),
      ]);
      if (clockRule && isEnabled !== true) {
        const fault = isEnabled === undefined ? 'does not exist' : 'is disabled';
        return failed(
          `its rule ${clockRule.name} ${fault}, so timers do not fire reliably`,
          awsCommand(
            isEnabled === undefined
              ? `aws events list-rules --name-prefix ${clockRule.name}`
              : `aws events enable-rule --name ${clockRule.name}`,
          ),
        );
      }
      const overdue = earliest === undefined ? 0 : clock.now() - Date.parse(earliest);
      if (overdue > tolerance) {
        const detail = `a timer or deadline has been due for ${durationText(overdue)}`;
        return clockRule
          ? failed(detail, awsCommand(`aws logs tail ${clockRule.logGroup} --since 15m`))
          : failed(
              `${detail}; if this does not change within 3 minutes, for example after an import, restart the service`,
            );
      }
      if (earliest === undefined) return ok('no timer or deadline is pending');
      return ok(
        overdue > 0
          ? 'timers fire on time'
          : `the next timer or deadline is due in ${durationText(-overdue)}`,
      );
    },
  };
}
