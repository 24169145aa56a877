import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { loadOnce } from '../../common/load-once.ts';
import { readOrCreateSecret, type SecretFormat } from '../secret-file.ts';
import { createJsonServer, unknownOperation } from '../server/json-server.ts';

/** The definition of a secret that is generated on first use. */
export interface SecretDefinition {
  readonly name: string;
  /** The length of the password in characters. */
  readonly length: number;
  /** For a secret that is a JSON object: the fields other than the password, and the key of the password. */
  readonly object?: { readonly template: Readonly<Record<string, unknown>>; readonly key: string };
}

/**
 * Serves Secrets Manager's GetSecretValue over HTTP (AWS JSON 1.1). Each secret is stored in a file that has the
 * secret's name and that only its owner can read. The caller starts and closes the server.
 *
 * @param folder the folder with the files.
 */
export function createSecretsManagerServer(
  folder: string,
  secrets: readonly SecretDefinition[],
): Server {
  /** Reads each secret, by name. Concurrent requests for a new secret receive the same value. */
  const readers = new Map(
    secrets.map((secret) => [
      secret.name,
      loadOnce(() => readOrCreateSecret(join(folder, secret.name), formatOf(secret))),
    ]),
  );
  return createJsonServer(async (operation, input) => {
    if (operation !== 'secretsmanager.GetSecretValue') return unknownOperation(operation);
    const { SecretId = '' } = JSON.parse(input) as { SecretId?: string };
    const read = readers.get(SecretId);
    if (!read) return notFound;
    const SecretString = await read();
    return { status: 200, body: { ARN: SecretId, VersionId: 'first', SecretString } };
  }, 'InternalServiceError');
}

const notFound = { status: 400, body: { __type: 'ResourceNotFoundException' } };

/**
 * Returns the format of a secret as CloudFormation generates it: a password, or a JSON object with the template's
 * fields and the password.
 *
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html
 */
function formatOf({ length, object }: SecretDefinition): SecretFormat {
  return {
    generate() {
      const password = randomBytes(length).toString('hex').slice(0, length);
      if (!object) return password;
      return JSON.stringify({ ...object.template, [object.key]: password });
    },
    isValid: (text) => text.length >= length,
  };
}
