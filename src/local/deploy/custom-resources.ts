import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CustomResourceDefinition } from '../template/service-definition.ts';

/** A custom resource as it was deployed, to know later what to update or delete. */
export interface DeployedResource extends CustomResourceDefinition {
  readonly physicalId: string;
}

/** Invokes a function, and resolves when it is done. @throws Error when the function fails. */
export type InvokeFunction = (functionName: string, payload: string) => Promise<void>;

/**
 * Does for custom resources what CloudFormation does in a deployment: creates
 * those that are new, updates the others, then deletes those that are gone.
 *
 * @throws Error with the reason that a resource's function gave.
 */
export async function deployCustomResources(
  invoke: InvokeFunction,
  wanted: readonly CustomResourceDefinition[],
  deployed: readonly DeployedResource[],
): Promise<DeployedResource[]> {
  const answers = await AnswerServer.start();
  try {
    const request = async (
      type: string,
      resource: CustomResourceDefinition,
      before?: DeployedResource,
    ) => {
      const { url, answer } = answers.expect();
      const event = {
        RequestType: type,
        ResponseURL: url,
        StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/local',
        RequestId: randomUUID(),
        ResourceType: resource.type,
        LogicalResourceId: resource.logicalId,
        ...(before ? { PhysicalResourceId: before.physicalId } : {}),
        ResourceProperties: resource.properties,
        ...(type === 'Update' ? { OldResourceProperties: before?.properties } : {}),
      };
      const [physicalId] = await Promise.all([
        answer,
        invoke(resource.functionName, JSON.stringify(event)),
      ]);
      return physicalId;
    };
    const kept = await Promise.all(
      wanted.map(async (resource) => {
        const before = deployed.find(({ logicalId }) => logicalId === resource.logicalId);
        const physicalId = await request(before ? 'Update' : 'Create', resource, before);
        return { ...resource, physicalId };
      }),
    );
    const isKept = (id: string) => wanted.some(({ logicalId }) => logicalId === id);
    const gone = deployed.filter(({ logicalId }) => !isKept(logicalId));
    // Its function may have another name by now, or more often is the one that still serves.
    await Promise.all(gone.map((resource) => request('Delete', resource, resource)));
    return kept;
  } finally {
    answers.close();
  }
}

/** Where custom resources PUT their answers, as they do to a signed URL of S3 in AWS. */
class AnswerServer {
  readonly #waiting = new Map<string, PromiseWithResolvers<string>>();
  readonly #server = createServer(async (request, response) => {
    const answer = JSON.parse(await text(request)) as Record<string, string>;
    response.end();
    const waiting = this.#waiting.get(request.url ?? '');
    if (answer.Status === 'SUCCESS') waiting?.resolve(answer.PhysicalResourceId ?? '');
    else waiting?.reject(new Error(answer.Reason));
  });

  static async start(): Promise<AnswerServer> {
    const server = new AnswerServer();
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  expect(): { url: string; answer: Promise<string> } {
    const path = `/${randomUUID()}`;
    const waiting = Promise.withResolvers<string>();
    this.#waiting.set(path, waiting);
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}${path}`, answer: waiting.promise };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
