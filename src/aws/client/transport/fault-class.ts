/**
 * The class of an AWS service error, which determines how callers handle it:
 *
 * - `busy`: the service throttles the request. A retry after a short delay can succeed.
 * - `permanent`: the request itself is invalid or too large. The request always fails.
 * - `aws-service`: an outage, a missing permission, a missing table, or a disabled key. These errors also occur during
 *   a deployment. The request succeeds when the service recovers or an operator corrects the setup.
 */
export type FaultClass = 'busy' | 'permanent' | 'aws-service';

/**
 * The errors for throttled requests.
 *
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
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
  // Kinesis: KMS throttles the requests for the stream's key.
  'KMSThrottlingException',
  // The error codes of individual statements in a BatchExecuteStatement response.
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
]);

/**
 * The permanent errors. All other errors count as temporary. If a permanent error counts as temporary, events are held
 * back for too long. The opposite mistake is worse: an outage would park events, and an operator would have to redrive
 * them.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
const permanent = new Set([
  // All services: an invalid value or a malformed body.
  'ValidationException',
  'SerializationException',
  // DynamoDB: the error code of a single statement in a batch.
  'ValidationError',
  'ItemCollectionSizeLimitExceeded',
  'ItemCollectionSizeLimitExceededException',
  // Kinesis.
  'InvalidArgumentException',
  // KMS: the ciphertext is damaged or was encrypted with a different key.
  'InvalidCiphertextException',
  'IncorrectKeyException',
  // EventBridge: the error code of a single entry in a request.
  'InvalidArgument',
  'MalformedDetail',
]);

/** The HTTP status with which all services reject a request that is too large. */
const tooLarge = 413;

/**
 * Classifies an error.
 *
 * @param name the error's name in the service's API, such as `ValidationException`.
 * @param status the HTTP status.
 */
export function classifyFault(name: string, status: number): FaultClass {
  if (throttling.has(name) || status === 429) return 'busy';
  return permanent.has(name) || status === tooLarge ? 'permanent' : 'aws-service';
}
