import {
  DeleteFunctionCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import type { PublishedVersions } from '../../registrar/retire-versions.ts';

/**
 * Lists and deletes published versions of Lambda functions.
 *
 * @param signal aborts requests that take too long.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_DeleteFunction.html
 */
export function publishedVersions(client: LambdaClient, signal: AbortSignal): PublishedVersions {
  return {
    async list(functionArn) {
      const numbers: string[] = [];
      const input = { FunctionName: functionArn };
      const options = { abortSignal: signal };
      for await (const page of paginateListVersionsByFunction({ client }, input, options))
        numbers.push(...(page.Versions ?? []).flatMap(({ Version }) => Version ?? []));
      return numbers;
    },
    async delete(functionArn, functionVersion) {
      // Without a qualifier, Lambda would delete the function with all of its versions.
      if (!functionVersion) throw new TypeError('`functionVersion` must not be empty');
      const input = { FunctionName: functionArn, Qualifier: functionVersion };
      await client.send(new DeleteFunctionCommand(input), { abortSignal: signal });
    },
  };
}
