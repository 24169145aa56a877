import { type Check, failed, ok, warning } from './check.ts';
import type { Installation, Monitoring } from './installation.ts';
import { countText } from './phrases.ts';

/** The maximum number of alarms that a message lists. */
const maximumNamed = 5;

/** Checks that no alarm is raised and that every alarm has an action. */
export function alarmCheck(monitoring: Monitoring, awsCommand: Installation['awsCommand']): Check {
  return {
    id: 'alarms',
    async run() {
      const alarms = await monitoring.alarms();
      const raised = alarms.filter(({ isRaised }) => isRaised).map(({ name }) => name);
      if (raised.length > 0)
        return failed(
          `${raised.length} of ${countText(alarms.length, 'alarm')} ${raised.length === 1 ? 'is' : 'are'} raised: ${listed(raised)}`,
          awsCommand(
            `aws cloudwatch describe-alarms --alarm-names ${raised.slice(0, maximumNamed).join(' ')}`,
          ),
        );
      if (alarms.length === 0) return warning('the stack has no alarms');
      const silent = alarms.filter(({ hasAction }) => !hasAction);
      if (silent.length > 0)
        return warning(
          `no action is set for ${silent.length} of ${countText(alarms.length, 'alarm')}; set \`alarmTopic\` in the CDK app and deploy it`,
          'npx cdk deploy',
        );
      return ok(`no alarm is raised (${countText(alarms.length, 'alarm')} checked)`);
    },
  };
}

function listed(names: readonly string[]): string {
  const others = names.length - maximumNamed;
  const named = names.slice(0, maximumNamed).join(', ');
  return others > 0 ? `${named} and ${countText(others, 'other')}` : named;
}
