import { type FunctionDefinition, versionOf } from './function-definition.ts';

/**
 * Builds the response of ListFunctions: all functions on one page, with the fields that a caller needs to invoke a
 * function.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListFunctions.html
 */
export function functionList(definitions: readonly FunctionDefinition[]) {
  const functions = definitions.map((definition) => ({
    FunctionName: definition.name,
    FunctionArn: definition.arn,
    Runtime: definition.runtime,
    Handler: definition.handler,
    Timeout: definition.timeoutSeconds,
    MemorySize: definition.memoryMb,
    PackageType: 'Zip',
    Version: versionOf(definition),
    Environment: { Variables: definition.environment },
  }));
  return { Functions: functions, NextMarker: null };
}
