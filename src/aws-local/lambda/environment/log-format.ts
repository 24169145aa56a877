import { format } from 'node:util';

/** The fields of a log line in addition to the message. */
export interface LogFields {
  readonly timestamp: string;
  readonly level: string;
  /** The request id of the invocation; undefined during initialization. */
  readonly requestId: string | undefined;
}

/**
 * Formats the arguments of a console method as one line, in the function's log format. In JSON, a single argument is
 * the message itself; among several arguments, an error adds its type, message and stack.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export const formatLog: Readonly<
  Record<'Text' | 'JSON', (fields: LogFields, parts: readonly unknown[]) => string>
> = {
  Text({ timestamp, level, requestId }, parts) {
    const line = `${timestamp}\t${requestId}\t${level}\t${format(...parts)}`;
    // Replace line breaks, as Lambda's runtime does, so that a message is a single log event.
    return line.replaceAll('\n', '\r');
  },
  JSON(fields, parts) {
    const [first, ...others] = parts;
    if (others.length === 0)
      return JSON.stringify({
        ...fields,
        message: first instanceof Error ? errorFields(first) : first,
      });
    const error = parts.find((part) => part instanceof Error);
    const message = format(...parts);
    return JSON.stringify({ ...fields, message, ...(error && errorFields(error)) });
  },
};

const errorFields = ({ name, message, stack = '' }: Error) => ({
  errorType: name,
  errorMessage: message,
  stackTrace: stack.split('\n').slice(1),
});
