/**
 * The class of an error that an AWS service answers with, by what makes the request succeed:
 *
 * - `busy`: waiting a little. The service is throttling.
 * - `permanent`: nothing. The request itself is invalid or too large; the same request fails again.
 * - `aws-service`: waiting, or an operator. An outage, and also a missing permission, a missing table
 *   or a disabled key, as happens during a deployment.
 */
export type FaultClass = 'busy' | 'permanent' | 'aws-service';

/** @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const throttling = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
  // Codes of single statements in a BatchExecuteStatement response.
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
]);

/**
 * Every other error is temporary: holding events back for too long is repaired by the next delivery,
 * parking them because of an outage takes an operator.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
const permanent = new Set([
  // Every service: a value that the API does not allow, or a body that it cannot read.
  'ValidationException',
  'SerializationException',
  // DynamoDB, for a single statement of a batch.
  'ValidationError',
  'ItemCollectionSizeLimitExceeded',
  'ItemCollectionSizeLimitExceededException',
  // Kinesis.
  'InvalidArgumentException',
  // KMS: the ciphertext is damaged, or another key encrypted it.
  'InvalidCiphertextException',
  'IncorrectKeyException',
  // EventBridge, for a single entry of a request.
  'InvalidArgument',
  'MalformedDetail',
]);

/** The status of a request that is too large, whatever the service calls the error. */
const tooLarge = 413;

/**
 * Classifies an error.
 *
 * @param name that of the error in the service's API, such as `ValidationException`.
 * @param status the HTTP status.
 */
export function classifyFault(name: string, status: number): FaultClass {
  if (throttling.has(name) || status === 429) return 'busy';
  return permanent.has(name) || status === tooLarge ? 'permanent' : 'aws-service';
}
