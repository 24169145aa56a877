import type { PublishedVersions } from '../../registrar/retire-versions.ts';
import { socketTimeout } from '../client/transport/json-service.ts';
import { ServiceClient, type ServiceOptions } from '../client/transport/service-client.ts';
import { undefinedIfMissing } from '../client/transport/service-error.ts';

/** A page of ListVersionsByFunction. */
interface VersionsPage {
  readonly Versions?: readonly { readonly Version?: string }[];
  readonly NextMarker?: string | null;
}

/**
 * Creates a client that lists and deletes published versions of Lambda functions.
 *
 * @param signal aborts the work: no new requests start.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListVersionsByFunction.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_DeleteFunction.html
 */
export function publishedVersions(options: ServiceOptions, signal: AbortSignal): PublishedVersions {
  const protocol = { service: 'lambda', contentType: 'application/json', socketTimeout };
  const client = new ServiceClient(options, protocol);
  const pathOf = (functionArn: string) =>
    `/2015-03-31/functions/${encodeURIComponent(functionArn)}`;
  return {
    async list(functionArn) {
      const numbers: string[] = [];
      let marker: string | undefined;
      do {
        signal.throwIfAborted();
        const query = marker === undefined ? undefined : { Marker: marker };
        const { body } = await client.get(`${pathOf(functionArn)}/versions`, query);
        const { Versions = [], NextMarker } = JSON.parse(body) as VersionsPage;
        numbers.push(...Versions.flatMap(({ Version }) => Version ?? []));
        marker = NextMarker ?? undefined;
      } while (marker !== undefined);
      return numbers;
    },
    async delete(functionArn, functionVersion) {
      // Without a qualifier, Lambda would delete the function with all of its versions.
      if (!functionVersion) throw new TypeError('`functionVersion` must not be empty');
      signal.throwIfAborted();
      // An earlier attempt at this request may have deleted the version.
      await undefinedIfMissing(client.delete(pathOf(functionArn), { Qualifier: functionVersion }));
    },
  };
}
