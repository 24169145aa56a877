const statusOf = {
  InvalidParameterValueException: 400,
  InvalidRequestContentException: 400,
  ValidationException: 400,
  ResourceNotFoundException: 404,
  UnknownOperationException: 404,
  RequestEntityTooLargeException: 413,
  TooManyRequestsException: 429,
  ServiceException: 500,
} as const;

/** The name of an error of the Lambda API, as the AWS SDK's class is called. */
export type LambdaApiErrorCode = keyof typeof statusOf;

/**
 * Invoke was refused, so that the function did not run. Errors of the function
 * itself are results.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 */
export class LambdaApiError extends Error {
  readonly code: LambdaApiErrorCode;
  /** Of a `TooManyRequestsException`: which limit it was. */
  readonly reason?: string;

  constructor(code: LambdaApiErrorCode, message: string, reason?: string) {
    super(message);
    this.name = 'LambdaApiError';
    this.code = code;
    this.reason = reason;
  }

  /** The HTTP status that it is answered with. */
  get statusCode(): number {
    return statusOf[this.code];
  }

  /** The HTTP body. AWS writes some of these with `Message`, others with `message`. */
  get body(): Record<string, string> {
    if (this.code === 'ValidationException') return { message: this.message };
    if (this.code === 'ResourceNotFoundException') return { Message: this.message, Type: 'User' };
    return {
      ...(this.reason === undefined ? {} : { Reason: this.reason }),
      Type: this.statusCode < 500 ? 'User' : 'Service',
      message: this.message,
    };
  }
}
