import { traceparentOf } from '../../../src/aws/monitoring/trace-header.ts';
import { optionalSetting } from '../settings.ts';

/** Whether X-Ray may record this function's invocations. */
export const isTraced = optionalSetting('MILEPOST_TRACING') === 'on';

/** The header of the invocation that runs. @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
export const traceHeader = (): string | undefined => optionalSetting('_X_AMZN_TRACE_ID');

/** The attribute for events that are sent in the invocation that runs, where it is recorded. */
export const traceparent = isTraced ? () => traceparentOf(traceHeader()) : undefined;
