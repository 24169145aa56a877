import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

/** A CloudFormation emulator that ignores drift. */
export interface DriftingEmulator {
  readonly endpoint: string;
  /** The certificate to trust. */
  readonly ca: Buffer;
  /** Resets the changed resources to the state that their template defines. */
  readonly revertDrift: () => Promise<unknown>;
}

/**
 * Forwards requests to the CloudFormation of an emulator that ignores `DeploymentMode`. Adds drift-aware change sets:
 * as in AWS, a deployment restores changed resources even if the template is the same.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
 */
export const driftAwareCloudFormation = ({ endpoint, ca, revertDrift }: DriftingEmulator): Server =>
  createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forward = async () => {
      const body = await text(incoming);
      const form = new URLSearchParams(body);
      const [action, mode] = [form.get('Action'), form.get('DeploymentMode')];
      if (action === 'CreateChangeSet' && mode === 'REVERT_DRIFT') await revertDrift();
      request(new URL(url!, endpoint), { method, headers, ca, servername: 'localhost' })
        .on('response', (response) => {
          outgoing.writeHead(response.statusCode!, response.headers);
          response.pipe(outgoing);
        })
        .on('error', (error) => outgoing.destroy(error))
        .end(body);
    };
    forward().catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
  });
