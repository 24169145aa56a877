import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Runs a function every minute. Failed and late runs are not retried, because the next run follows soon. Returns the
 * rule with the schedule.
 */
export function runEveryMinute(scope: Construct, fn: Function, description: string): Rule {
  const retries = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
  fn.configureAsyncInvoke(retries);
  const rule = new Rule(scope, 'Schedule', {
    description,
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  rule.addTarget(new LambdaFunction(fn, retries));
  return rule;
}
