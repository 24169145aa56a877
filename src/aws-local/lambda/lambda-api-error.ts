const statusOf = {
  InvalidParameterValueException: 400,
  InvalidRequestContentException: 400,
  ResourceInUseException: 400,
  ValidationException: 400,
  ResourceNotFoundException: 404,
  UnknownOperationException: 404,
  RequestEntityTooLargeException: 413,
  TooManyRequestsException: 429,
  ServiceException: 500,
} as const;

/** The name of a Lambda API error, as in the AWS SDK. */
export type LambdaApiErrorCode = keyof typeof statusOf;

/**
 * The error thrown when the Lambda API rejects a request. An error in the invoked function is part of the result
 * instead.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 */
export class LambdaApiError extends Error {
  readonly code: LambdaApiErrorCode;
  /** The limit that was exceeded, for a `TooManyRequestsException`. */
  readonly reason?: string;

  constructor(code: LambdaApiErrorCode, message: string, reason?: string) {
    super(message);
    this.name = 'LambdaApiError';
    this.code = code;
    this.reason = reason;
  }

  get statusCode(): number {
    return statusOf[this.code];
  }

  /** The HTTP body. AWS writes `Message` in some errors and `message` in others. */
  get body(): Record<string, string> {
    if (this.code === 'ValidationException') return { message: this.message };
    if (this.code === 'ResourceNotFoundException' || this.code === 'ResourceInUseException')
      return { Message: this.message, Type: 'User' };
    return {
      ...(this.reason === undefined ? {} : { Reason: this.reason }),
      Type: this.statusCode < 500 ? 'User' : 'Service',
      message: this.message,
    };
  }
}
