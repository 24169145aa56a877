import { Hono } from 'hono';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { allChecks, type CheckDependencies } from './all-checks.ts';
import { checkList } from './check-schemas.ts';
import { type CheckResult, runChecks } from './run-checks.ts';

/** Runs the service's checks. Concurrent requests share one run to limit the calls to AWS. */
export function checkRoutes(dependencies: CheckDependencies): Hono {
  let running: Promise<CheckResult[]> | undefined;
  return new Hono().get('/', describeOperation(operation), async (context) => {
    running ??= runChecks(allChecks(dependencies), dependencies).finally(() => {
      running = undefined;
    });
    const { version } = dependencies.installation;
    return context.json({ version, checks: await running });
  });
}

const operation: Operation = {
  id: 'checkService',
  summary: 'Check the service',
  description:
    'Checks the parts of the service (streams, functions, models, clock, parked events, dead letters, and, in AWS, lag and alarms) and suggests remedies. Changes nothing.',
  tag: 'service',
  answers: { 200: checkList },
};
