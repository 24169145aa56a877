import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';
import { undefinedIfMissing } from './transport/service-error.ts';

export interface SecretVersion {
  readonly id: string;
  readonly value: string;
}

/** The Secrets Manager operations that Milepost uses. */
export interface SecretsManager {
  /**
   * Reads the current version of a secret.
   *
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
   */
  current(id: string): Promise<SecretVersion>;
  /** Reads a pending version. Returns undefined if it does not exist. */
  pending(id: string, version: string): Promise<string | undefined>;
  /**
   * Adds a pending version.
   *
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
   */
  putPending(id: string, version: SecretVersion): Promise<void>;
  /**
   * Makes a pending version the current version.
   *
   * @param from the id of the current version.
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
   */
  promote(id: string, version: string, from: string): Promise<void>;
  /** Discards a pending version so that another rotation can start. */
  withdraw(id: string, version: string): Promise<void>;
}

export function secretsManager(options: ServiceOptions): SecretsManager {
  const send = jsonService(options, {
    service: 'secretsmanager',
    version: '1.1',
    target: 'secretsmanager',
  });
  const read = async (input: { SecretId: string; VersionId?: string; VersionStage?: string }) => {
    const { SecretString, VersionId = '' } = await send<{
      SecretString?: string;
      VersionId?: string;
    }>('GetSecretValue', input);
    if (!SecretString) throw new Error(`the secret ${input.SecretId} has no SecretString`);
    return { id: VersionId, value: SecretString };
  };
  return {
    current: (id) => read({ SecretId: id }),
    async pending(id, version) {
      const input = { SecretId: id, VersionId: version, VersionStage: 'AWSPENDING' };
      return (await undefinedIfMissing(read(input)))?.value;
    },
    async putPending(id, { id: version, value }) {
      await send('PutSecretValue', {
        SecretId: id,
        ClientRequestToken: version,
        SecretString: value,
        VersionStages: ['AWSPENDING'],
      });
    },
    async promote(id, version, from) {
      await send('UpdateSecretVersionStage', {
        SecretId: id,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: version,
        RemoveFromVersionId: from,
      });
    },
    async withdraw(id, version) {
      await send('UpdateSecretVersionStage', {
        SecretId: id,
        VersionStage: 'AWSPENDING',
        RemoveFromVersionId: version,
      });
    },
  };
}
