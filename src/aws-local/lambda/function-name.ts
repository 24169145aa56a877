import { LambdaApiError } from './lambda-api-error.ts';

/** A parsed reference to a function: a name, a partial ARN, or a full ARN. */
export interface FunctionName {
  readonly name: string;
  readonly region?: string;
  readonly account?: string;
  readonly qualifier?: string;
}

const pattern =
  /^(?:arn:aws[a-zA-Z-]*:lambda:)?(?:(?<region>[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):)?(?:(?<account>\d{12}):)?(?:function:)?(?<name>[a-zA-Z0-9-_.]+)(?::(?<qualifier>\$LATEST|[a-zA-Z0-9-_]+))?$/;

/**
 * Parses the function references that Invoke accepts. The qualifier can be part of the name, or be passed as
 * `qualifier`. If both contain a qualifier, the two qualifiers must be equal.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_RequestSyntax
 * @throws {LambdaApiError} `ValidationException` for an invalid name, `InvalidParameterValueException` for two
 *   different qualifiers.
 */
export function parseFunctionName(text: string, qualifier?: string): FunctionName {
  const parts = pattern.exec(text)?.groups;
  if (parts?.name === undefined) {
    throw new LambdaApiError(
      'ValidationException',
      `1 validation error detected: Value '${text}' at 'functionName' failed to satisfy constraint: Member must be the name or ARN of a function`,
    );
  }
  if (parts.qualifier !== undefined && (qualifier ?? parts.qualifier) !== parts.qualifier) {
    throw new LambdaApiError(
      'InvalidParameterValueException',
      'The derived qualifier from the function name does not match the specified qualifier.',
    );
  }
  return {
    name: parts.name,
    region: parts.region,
    account: parts.account,
    qualifier: parts.qualifier ?? qualifier,
  };
}
