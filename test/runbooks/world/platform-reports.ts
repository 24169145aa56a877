import type { InvocationOutcome } from '../../../src/aws-local/lambda/execution-environment.ts';
import { FunctionPool } from '../../../src/aws-local/lambda/function-pool.ts';

/**
 * Logs the report of each invocation in the JSON format of Lambda. The local Lambda host logs reports as text.
 *
 * @param log receives the line and the function's name
 */
export function logPlatformReports(log: (line: string, functionName: string) => void): void {
  const { invoke } = FunctionPool.prototype; // oxlint-disable-line typescript/unbound-method -- called with `this` below
  FunctionPool.prototype.invoke = async function invokeAndReport(message) {
    const outcome = await invoke.call(this, message);
    log(JSON.stringify(platformReport(message.requestId, outcome)), this.definition.name);
    return outcome;
  };
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report */
function platformReport(requestId: string, outcome: InvocationOutcome) {
  const { durationMs, initDurationMs } = outcome;
  return {
    time: new Date().toISOString(),
    type: 'platform.report',
    record: {
      requestId,
      metrics: { durationMs, ...(initDurationMs !== undefined && { initDurationMs }) },
      status: statusOf(outcome),
    },
  };
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#Status */
function statusOf({ failed, payload }: InvocationOutcome): string {
  if (!failed) return 'success';
  const { errorType = '' } = JSON.parse(payload) as { readonly errorType?: string };
  if (errorType === 'Sandbox.Timedout') return 'timeout';
  return 'error';
}
