/** An error for the client in dynalite's format: a status code and a response body. */
export interface ResponseError extends Error {
  readonly statusCode: number;
  readonly body: { readonly __type: string; readonly message?: string };
}

export const isResponseError = (error: unknown): error is ResponseError =>
  error instanceof Error && 'body' in error;

/** Returns the name of an error, such as `ValidationException`. */
export const nameOf = ({ body: { __type: type } }: ResponseError): string =>
  type.slice(type.indexOf('#') + 1);
