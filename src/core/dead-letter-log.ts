/**
 * The `message` of the log line that says that dead letters were written. It is a contract between
 * the dispatcher, which calls `console.warn({ message: deadLetterMessage, count, … })` once a batch,
 * and the metric filter behind the dead-letter alarm, which adds up `count`. Lambda's JSON logs put
 * the logged object under a `message` of their own: `{"level":"WARN","message":{"message":…}}`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
export const deadLetterMessage = 'dead letter';
