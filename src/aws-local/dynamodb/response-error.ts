import type { BatchStatementError } from '@aws-sdk/client-dynamodb';

/** An error for the client in dynalite's format: a status code and a response body. */
export interface ResponseError extends Error {
  readonly statusCode: number;
  readonly body: { readonly __type: string; readonly message?: string };
}

export const isResponseError = (error: unknown): error is ResponseError =>
  error instanceof Error && 'body' in error;

/** The error codes in responses that report an error for each statement or action, by error name. */
const codes: Record<string, BatchStatementError['Code']> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ResourceNotFoundException: 'ResourceNotFound',
  ValidationException: 'ValidationError',
};

/** Returns the code of an error, such as `ValidationError`, or undefined if the error has none. */
export const codeOf = (error: unknown): BatchStatementError['Code'] =>
  isResponseError(error) ? codes[nameOf(error)] : undefined;

/** Returns the name of an error, such as `ValidationException`. */
const nameOf = ({ body: { __type: type } }: ResponseError): string =>
  type.slice(type.indexOf('#') + 1);
