import type { Server } from 'node:http';
import { createJsonServer, unknownOperation } from './json-server.ts';
import { secretInFile } from './secret-file.ts';

/**
 * Secrets Manager's GetSecretValue over HTTP (AWS JSON 1.1): there is one secret here, in a file that
 * its owner alone may read, whatever it is asked by. The caller listens, on 127.0.0.1, and closes it.
 */
export function createSecretsServer(path: string): Server {
  return createJsonServer(async (operation, input) => {
    if (operation !== 'secretsmanager.GetSecretValue') return unknownOperation(operation);
    const { SecretId } = JSON.parse(input) as { SecretId?: string };
    return { status: 200, body: { ARN: SecretId, SecretString: await secretInFile(path) } };
  }, 'InternalServiceError');
}
