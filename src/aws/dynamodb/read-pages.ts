import type { QueryInput, ScanInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDb, QueryPage } from '../client/dynamodb.ts';

/** Reads a query's pages, requesting each page only when the caller needs it. */
export const queryPages = (client: DynamoDb, query: QueryInput): AsyncGenerator<QueryPage> =>
  readPages((start) => client.query({ ...query, ExclusiveStartKey: start }));

/** Reads a scan's pages, requesting each page only when the caller needs it. */
export const scanPages = (client: DynamoDb, scan: ScanInput): AsyncGenerator<QueryPage> =>
  readPages((start) => client.scan({ ...scan, ExclusiveStartKey: start }));

async function* readPages(
  read: (start: QueryPage['LastEvaluatedKey']) => Promise<QueryPage>,
): AsyncGenerator<QueryPage> {
  let start: QueryPage['LastEvaluatedKey'];
  do {
    const page = await read(start);
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
}
