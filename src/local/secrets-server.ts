import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../core/errors.ts';
import { secretInFile } from './secret-file.ts';

const operation = 'secretsmanager.GetSecretValue';

/**
 * Secrets Manager's GetSecretValue over HTTP (AWS JSON 1.1): there is one secret here, in a file that
 * its owner alone may read, whatever it is asked by. The caller listens, on 127.0.0.1, and closes it.
 */
export function createSecretsServer(path: string): Server {
  return createServer((request, response) => {
    const send = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    const answer = async () => {
      const asked = await text(request);
      if (request.headers['x-amz-target'] !== operation)
        return send(400, { __type: 'UnknownOperationException' });
      const { SecretId } = JSON.parse(asked) as { SecretId?: string };
      return send(200, { ARN: SecretId, SecretString: await secretInFile(path) });
    };
    answer().catch((error: unknown) =>
      send(500, { __type: 'InternalServiceError', Message: messageOf(error) }),
    );
  });
}
