import { join } from 'node:path';
import type { Random } from '../random.ts';
import { replaceFile } from '../replace-file.ts';
import type { InvocationRecord } from './invocation-record.ts';
import type { Destination } from './ports.ts';

/** A folder in place of an S3 bucket as the on-failure destination: a file for each object. */
export class FileDestination implements Destination {
  readonly #folder: string;
  readonly #mappingUuid: string;
  readonly #random: Random;

  constructor(folder: string, mappingUuid: string, random: Random) {
    this.#folder = folder;
    this.#mappingUuid = mappingUuid;
    this.#random = random;
  }

  async deliver(record: InvocationRecord): Promise<void> {
    const key = destinationKey(this.#mappingUuid, record, this.#random.uuid());
    await replaceFile(join(this.#folder, key), JSON.stringify(record));
  }
}

/**
 * The key that Lambda gives the object: times in UTC, and no colons.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
function destinationKey(mappingUuid: string, record: InvocationRecord, uuid: string): string {
  const second = record.timestamp.slice(0, 19).replaceAll(':', '.');
  const day = record.timestamp.slice(0, 10).replaceAll('-', '/');
  return `aws/lambda/${mappingUuid}/${record.KinesisBatchInfo.shardId}/${day}/${second}-${uuid}`;
}
