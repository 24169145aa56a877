import { Readable } from 'node:stream';
import db, { type Store, type StoredRecord } from 'kinesalite/db/index.js';

/**
 * The maximum size of the data and the partition keys in a `GetRecords` response, in bytes.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html
 */
export const maximumPageBytes = 10 * 1024 * 1024;

/**
 * Makes kinesalite limit the size of a page of records. Without a limit, a page of 400 records of 1 MB would exceed the
 * maximum length of a string and crash the process.
 */
export function limitPages(): void {
  const { create } = db;
  db.create = (options) => withLimit(create(options));
}

function withLimit(store: Store): Store {
  const { getStreamDb } = store;
  store.getStreamDb = (name) => {
    // kinesalite stores each database in a property of an array, and reads the property before it checks that the
    // stream exists. A name such as `filter` would return a method of the array, so read the empty name instead, which
    // no stream has.
    const records = getStreamDb(name in [] ? '' : name);
    if (!Object.hasOwn(records, 'createReadStream')) {
      const createReadStream = records.createReadStream.bind(records);
      records.createReadStream = (options) => {
        const stream = createReadStream(options);
        // Streams of keys are created with the same method.
        return options.values === false ? stream : Readable.from(pageOf(stream));
      };
    }
    return records;
  };
  return store;
}

async function* pageOf(records: AsyncIterable<StoredRecord>): AsyncGenerator<StoredRecord> {
  let bytes = 0;
  for await (const record of records) {
    const { Data, PartitionKey } = record.value;
    bytes += Buffer.byteLength(Data, 'base64') + Buffer.byteLength(PartitionKey);
    if (bytes > maximumPageBytes) return;
    yield record;
  }
}
