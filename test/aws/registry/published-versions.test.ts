import {
  DeleteFunctionCommand,
  LambdaClient,
  type ListVersionsByFunctionCommand,
} from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { publishedVersions } from '../../../src/aws/registry/published-versions.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:orders';
const { signal } = new AbortController();

it('publishedVersions lists the versions of all pages', async () => {
  const send = ({ input }: ListVersionsByFunctionCommand) =>
    Promise.resolve(
      input.Marker === undefined
        ? { Versions: [{ Version: '$LATEST' }, { Version: '1' }], NextMarker: 'more' }
        : { Versions: [{ Version: '2' }] },
    );
  // The AWS SDK's paginator requires a LambdaClient.
  const client = Object.assign(new LambdaClient({ region: 'us-east-1' }), { send });
  expect(await publishedVersions(client, signal).list(functionArn)).toEqual(['$LATEST', '1', '2']);
});

it('publishedVersions deletes only the version and never the function', async () => {
  const sent: object[] = [];
  const client = {
    send(command: DeleteFunctionCommand) {
      expect(command).toBeInstanceOf(DeleteFunctionCommand);
      sent.push(command.input);
      return Promise.resolve({});
    },
  };
  const versions = publishedVersions(client as unknown as LambdaClient, signal);
  await versions.delete(functionArn, '7');
  expect(sent).toEqual([{ FunctionName: functionArn, Qualifier: '7' }]);
  await expect(versions.delete(functionArn, '')).rejects.toThrow(TypeError);
  expect(sent).toHaveLength(1);
});
