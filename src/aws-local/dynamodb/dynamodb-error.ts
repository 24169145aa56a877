import type { ResponseError } from './response-error.ts';

/** The error thrown when a request fails. The response reports the error to the client. */
export class DynamoDbError extends Error implements ResponseError {
  /** The name of the error, such as `ResourceNotFoundException`. */
  readonly type: string;
  readonly statusCode = 400;

  constructor(type: string, message: string) {
    super(message);
    this.name = 'DynamoDbError';
    this.type = type;
  }

  get body(): ResponseError['body'] {
    return { __type: `com.amazonaws.dynamodb.v20120810#${this.type}`, message: this.message };
  }
}

export const validationError = (message: string) =>
  new DynamoDbError('ValidationException', message);
