import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { messageOf } from '../../common/message-of.ts';
import type { CustomResourceDefinition } from '../template/service-definition.ts';

/** A custom resource as it was deployed, to know later what to update or delete. */
export interface DeployedResource extends CustomResourceDefinition {
  readonly physicalId: string;
  /** True where it is not known how the last request for it ended. */
  readonly unsettled?: boolean;
}

/** Each request runs in a process of its own: more of them than processors are only more work. */
const maximumConcurrentRequests = 2;

/** Invokes a function, and resolves when it is done. @throws Error when the function fails. */
export type InvokeResourceFunction = (functionName: string, payload: string) => Promise<void>;

/**
 * Does for custom resources what CloudFormation does in a deployment: creates
 * those that are new, updates those that changed, then deletes those that are gone, and what an
 * update put another physical id in the place of. Those that did not change are left alone.
 *
 * @throws Error with the reason that a resource's function gave.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requesttypes-update.html
 */
export async function deployCustomResources(
  invoke: InvokeResourceFunction,
  wanted: readonly CustomResourceDefinition[],
  deployed: readonly DeployedResource[],
): Promise<DeployedResource[]> {
  const answers = await ResponseServer.start();
  try {
    const request = async (
      type: string,
      resource: CustomResourceDefinition,
      before?: DeployedResource,
    ) => {
      const answer = answers.expect(resource.logicalId);
      const event = {
        RequestType: type,
        ResponseURL: answer.url,
        StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/local',
        RequestId: randomUUID(),
        ResourceType: resource.type,
        LogicalResourceId: resource.logicalId,
        ...(before ? { PhysicalResourceId: before.physicalId } : {}),
        ResourceProperties: resource.properties,
        ...(type === 'Update' ? { OldResourceProperties: before?.properties } : {}),
      };
      const invoked = invoke(resource.functionName, JSON.stringify(event)).then(answer.isOverdue);
      const [physicalId] = await Promise.all([answer.physicalId, invoked]);
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
    // The function that served it may have another name by now: the one of its kind knows better.
    const serving = ({ type, functionName }: DeployedResource) =>
      wanted.find((resource) => resource.type === type)?.functionName ?? functionName;
    await Promise.all(
      gone.map((before) => request('Delete', { ...before, functionName: serving(before) }, before)),
    );
    return kept;
  } finally {
    answers.close();
  }
}

/** Whether a resource is known to be deployed as it is wanted. */
export function isUnchanged(before: DeployedResource, wanted: CustomResourceDefinition): boolean {
  return isDeepStrictEqual(before, { ...wanted, physicalId: before.physicalId });
}

interface PendingResponse {
  resolve(physicalId: string): void;
  fail(reason: string): void;
}

/** Where custom resources PUT their answers, as they do to a signed URL of S3 in AWS. */
class ResponseServer {
  readonly #waiting = new Map<string, PendingResponse>();
  readonly #server = createServer((request, response) => {
    const waiting = this.#waiting.get(request.url ?? '');
    const taken = text(request).then((body) => {
      response.end();
      const answer = JSON.parse(body) as Record<string, string>;
      if (answer.Status === 'SUCCESS') waiting?.resolve(answer.PhysicalResourceId ?? '');
      else waiting?.fail(answer.Reason ?? 'failed and gave no reason');
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

  /** Waits for the answer for a resource; once its function has ended, none can come any more. */
  expect(logicalId: string): { url: string; physicalId: Promise<string>; isOverdue: () => void } {
    const path = `/${randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (reason: string) => reject(new Error(`${logicalId}: ${reason}`));
    this.#waiting.set(path, { resolve, fail });
    const { port } = this.#server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}${path}`,
      physicalId: promise,
      isOverdue: () => fail('its function ended and gave no answer'),
    };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
