import { traceparentOf } from '../../../src/aws/monitoring/trace-header.ts';
import { optionalSetting } from '../settings.ts';

/** True if X-Ray tracing is enabled for this function. */
export const isTraced = optionalSetting('MILEPOST_TRACING') === 'on';

/**
 * Returns the X-Ray trace header of the current invocation; undefined if Lambda sets none.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const traceHeader = (): string | undefined => optionalSetting('_X_AMZN_TRACE_ID');

/**
 * Returns the `traceparent` for events that the current invocation sends. The function itself is undefined if tracing
 * is disabled.
 */
export const traceparent = isTraced ? () => traceparentOf(traceHeader()) : undefined;
