import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { accountId, region } from '../../aws-local/account.ts';
import { messageOf } from '../../common/message-of.ts';
import type { CustomResourceDefinition } from '../template/service-definition.ts';

/** A custom resource as it was deployed, recorded for later updates and deletions. */
export interface DeployedResource extends CustomResourceDefinition {
  readonly physicalId: string;
  /**
   * True until the next request for the resource succeeds. The request is sent even if the definition has not changed.
   */
  readonly unsettled?: boolean;
}

/**
 * The maximum number of concurrent requests. Each request runs in a separate process, and more processes than
 * processors would only add overhead.
 */
const maximumConcurrentRequests = 2;

/** Invokes a function and resolves when it returns. @throws Error if the function fails. */
export type InvokeResourceFunction = (functionName: string, payload: string) => Promise<void>;

/**
 * Processes custom resources as CloudFormation does in a deployment: creates new resources, updates changed resources,
 * and then deletes the resources that were removed from the template or replaced during an update. Skips unchanged
 * resources.
 *
 * @throws Error with the reason that a resource's function reported, or if the function failed or did not respond.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requesttypes-update.html
 */
export async function deployCustomResources(
  invoke: InvokeResourceFunction,
  wanted: readonly CustomResourceDefinition[],
  deployed: readonly DeployedResource[],
): Promise<DeployedResource[]> {
  const server = await ResponseServer.start();
  try {
    const request = async (
      type: string,
      resource: CustomResourceDefinition,
      before?: DeployedResource,
    ) => {
      const response = server.expect(resource.logicalId);
      const event = {
        RequestType: type,
        ResponseURL: response.url,
        StackId: `arn:aws:cloudformation:${region}:${accountId}:stack/Milepost/local`,
        RequestId: randomUUID(),
        ResourceType: resource.type,
        LogicalResourceId: resource.logicalId,
        ...(before ? { PhysicalResourceId: before.physicalId } : {}),
        ResourceProperties: resource.properties,
        ...(type === 'Update' ? { OldResourceProperties: before?.properties } : {}),
      };
      const invoked = invoke(resource.functionName, JSON.stringify(event)).then(response.isOverdue);
      const [physicalId] = await Promise.all([response.physicalId, invoked]);
      return physicalId;
    };
    const keep = async (resource: CustomResourceDefinition) => {
      const before = deployed.find(({ logicalId }) => logicalId === resource.logicalId);
      if (before && isUnchanged(before, resource)) return before;
      const physicalId = await request(before ? 'Update' : 'Create', resource, before);
      return { ...resource, physicalId };
    };
    const kept = await pMap(wanted, keep, { concurrency: maximumConcurrentRequests });
    const gone = deployed.filter(
      (before) =>
        !kept.some(
          ({ logicalId, physicalId }) =>
            logicalId === before.logicalId && physicalId === before.physicalId,
        ),
    );
    // Prefer the current function of the same resource type because the function may have been renamed.
    const serving = ({ type, functionName }: DeployedResource) =>
      wanted.find((resource) => resource.type === type)?.functionName ?? functionName;
    await pMap(
      gone,
      (before) => request('Delete', { ...before, functionName: serving(before) }, before),
      { concurrency: maximumConcurrentRequests },
    );
    return kept;
  } finally {
    server.close();
  }
}

/** Returns true if a resource is already deployed with the same definition and is not `unsettled`. */
export function isUnchanged(before: DeployedResource, wanted: CustomResourceDefinition): boolean {
  return isDeepStrictEqual(before, { ...wanted, physicalId: before.physicalId });
}

interface PendingResponse {
  resolve(physicalId: string): void;
  fail(reason: string): void;
}

/** Receives the responses of custom resources. In AWS, custom resources send them to a presigned S3 URL. */
class ResponseServer {
  readonly #waiting = new Map<string, PendingResponse>();
  readonly #server = createServer((request, response) => {
    const waiting = this.#waiting.get(request.url ?? '');
    const taken = text(request).then((body) => {
      response.end();
      const answer = JSON.parse(body) as Record<string, string>;
      if (answer.Status === 'SUCCESS') waiting?.resolve(answer.PhysicalResourceId ?? '');
      else waiting?.fail(answer.Reason ?? 'failed without a reason');
    });
    taken.catch((error: unknown) => waiting?.fail(messageOf(error)));
  });

  static async start(): Promise<ResponseServer> {
    const server = new ResponseServer();
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  /** Starts waiting for a resource's response. Call `isOverdue` when the resource's function has returned. */
  expect(logicalId: string): { url: string; physicalId: Promise<string>; isOverdue: () => void } {
    const path = `/${randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (reason: string) => reject(new Error(`${logicalId}: ${reason}`));
    this.#waiting.set(path, { resolve, fail });
    const { port } = this.#server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}${path}`,
      physicalId: promise,
      isOverdue: () => fail('its function returned without sending a response'),
    };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
