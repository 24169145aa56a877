import { jsonService } from './json-service.ts';
import type { ServiceOptions } from './service-client.ts';

/** What of Secrets Manager is used. */
export interface SecretsManager {
  /**
   * The text of a secret, as it is now.
   *
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
   */
  secret(id: string): Promise<string>;
}

/** Secrets Manager. */
export function secretsManager(options: ServiceOptions): SecretsManager {
  const send = jsonService(options, {
    service: 'secretsmanager',
    version: '1.1',
    target: 'secretsmanager',
  });
  return {
    async secret(id) {
      const { SecretString } = (await send('GetSecretValue', { SecretId: id })) as {
        SecretString?: string;
      };
      if (!SecretString) throw new Error(`the secret ${id} has no text`);
      return SecretString;
    },
  };
}
