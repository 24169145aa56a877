import {
  DeleteFunctionCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import type { PublishedVersions } from '../../registrar/retire-versions.ts';

/**
 * The versions of functions in Lambda.
 *
 * @param signal ends requests that take too long.
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
      // Without a qualifier the function itself would go, with all of its versions.
      if (!functionVersion) throw new TypeError('a version of a function has a number');
      const input = { FunctionName: functionArn, Qualifier: functionVersion };
      await client.send(new DeleteFunctionCommand(input), { abortSignal: signal });
    },
  };
}
