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
 * the message itself; among several arguments, an error after the first adds its type, message, and stack.
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
  JSON(fields, [message, ...others]) {
    if (others.length === 0) return jsonOf({ ...fields, message });
    const error = others.find((part) => part instanceof Error);
    return jsonOf({
      ...fields,
      message: format(message, ...others),
      ...(error && fieldsOf(error)),
    });
  },
};

/** Converts a log line to JSON. A message that JSON cannot represent, such as a circular object, becomes text. */
function jsonOf(line: LogFields & { readonly message: unknown }): string {
  try {
    return JSON.stringify(line, (_key, value: unknown) =>
      value instanceof Error ? Object.assign(fieldsOf(value), value) : value,
    );
  } catch {
    return JSON.stringify({ ...line, message: format(line.message) });
  }
}

const fieldsOf = ({ constructor, message, stack = '' }: Error) => ({
  errorType: constructor.name,
  errorMessage: message,
  stackTrace: stack.split('\n'),
});
