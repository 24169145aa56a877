import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { Chance } from '../../../src/common/chance.ts';
import { findToolchain, isAtLeast } from '../../clients/support/toolchain.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { RandomRequests } from './random-requests.ts';

const java = await findToolchain('Java 17 or later', ['java', '-version'], (output) =>
  isAtLeast(output, 17),
);
const maven = await findToolchain('Maven', ['mvn', '--version'], (output) =>
  output.includes('Apache Maven'),
);

type Json = Record<string, unknown>;

async function send(url: string, name: string, request: object): Promise<Json> {
  const scope = 'Credential=local/20260101/us-east-1/dynamodb/aws4_request';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${name}`,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(request),
  });
  return (await response.json()) as Json;
}

/** Prepares a response for comparison: omits messages and capacity, and puts items, sets, and keys in a fixed order. */
function comparable(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response;
  if (Array.isArray(response)) return response.map(comparable);
  const { __type, Responses, SS, ConsumedCapacity: _, ...others } = response as Json;
  if (typeof __type === 'string') return comparableError(__type.split('#')[1]!, others);
  if ('Code' in others) return others['Code'];
  // Compare only the error of a failed statement, because DynamoDB Local omits the name of the table.
  if ('Error' in others) return { Error: comparable(others['Error']) };
  const entries = Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, comparable(value)])),
    ...(Array.isArray(SS) && { SS: sorted(SS) }),
    ...(Responses !== undefined && {
      Responses: Array.isArray(Responses)
        ? // DynamoDB Local omits the empty responses to statements that write.
          Responses.map(comparable).filter((each) => Object.keys(each as object).length > 0)
        : Object.values(Responses as object).map((items) =>
            sorted((items as unknown[]).map(comparable)),
          ),
    }),
  };
}

/**
 * Prepares an error for comparison. Treats all errors of invalid actions in a transaction as the same error. DynamoDB
 * Local differs from AWS in which invalid actions it reports, with which codes, and whether it rejects the whole
 * request.
 */
function comparableError(error: string, { Item, CancellationReasons: reasons }: Json): Json {
  if (error !== 'TransactionCanceledException') return { error, Item: comparable(Item) };
  const codes = Array.isArray(reasons) ? reasons.map(({ Code }: Json) => Code) : [];
  const failures = codes.filter((code) => code !== 'None');
  if (failures.length === 0 || failures.some((code) => code !== 'ConditionalCheckFailed'))
    return { error: 'ValidationException', Item: undefined };
  const items = (reasons as Json[]).map((reason) => comparable(reason['Item']));
  return { error, codes, items };
}

const sorted = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).toSorted((a, b) => (a < b ? -1 : 1));

describe.skipIf(!java.isThere || !maven.isThere)(
  `the DynamoDB endpoint and DynamoDB Local${java.ifNot}${maven.ifNot}`,
  () => {
    let urls: readonly [string, string];
    const close: (() => unknown)[] = [];
    beforeAll(async () => {
      const ours = await startDynamoDb({ port: 0, dataFolder: null });
      close.push(() => ours.close());
      const theirs = await startDynamoDbLocal();
      close.push(() => theirs.close());
      urls = [ours.url, theirs.url];
    });
    afterAll(async () => {
      for (const one of close) await one();
    });

    const both = (name: string, request: object) =>
      Promise.all(urls.map((url) => send(url, name, request)));

    it.each([1, 2, 3])('return the same responses to random requests (seed %i)', async (seed) => {
      const TableName = `random-${seed}`;
      const key = (hash: string, range: string) => [
        { AttributeName: hash, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ];
      await both('CreateTable', {
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: key('pk', 'sk'),
        AttributeDefinitions: ['pk', 'sk', 'part', 'since'].map((AttributeName) => ({
          AttributeName,
          AttributeType: AttributeName === 'since' ? 'N' : 'S',
        })),
        GlobalSecondaryIndexes: [
          {
            IndexName: 'latest',
            KeySchema: key('part', 'since'),
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
      });
      await expect
        .poll(
          async () => {
            const tables = await both('DescribeTable', { TableName });
            return tables.map(({ Table }) => (Table as Json | undefined)?.['TableStatus']);
          },
          { timeout: 10_000 },
        )
        .toEqual(['ACTIVE', 'ACTIVE']);
      const requests = new RandomRequests(new Chance(seed), TableName);
      const kinds = new Set<string>();
      for (let n = 0; n < 400; n += 1) {
        const { name, request } = requests.next();
        const [ours, theirs] = await both(name, request);
        const text = JSON.stringify({ name, request });
        expect({ text, response: comparable(ours) }).toEqual({
          text,
          response: comparable(theirs),
        });
        kinds.add(`${name} ${ours!['__type'] === undefined ? 'succeeds' : 'fails'}`);
        const states = await both('Scan', { TableName });
        const [before, after] = states.map(({ Items }) =>
          sorted((Items as unknown[]).map(comparable)),
        );
        expect({ text, items: before }).toEqual({ text, items: after });
      }
      // Every operation must succeed at least once, and most operations must also fail.
      expect(kinds.size).toBeGreaterThanOrEqual(11 + 8);
    });
  },
);
