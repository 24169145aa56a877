import { randomBytes, randomUUID } from 'node:crypto';
import { createJsonServer, unknownOperation } from '../../../src/aws-local/server/json-server.ts';

type Stage = 'AWSCURRENT' | 'AWSPENDING';

interface Secret {
  /** The values, by version id. */
  readonly values: Map<string, string>;
  readonly stages: Map<Stage, string>;
  lastRotatedAt: number | undefined;
}

/** The input of all operations that the project uses. */
interface Input {
  readonly SecretId: string;
  readonly VersionId?: string;
  readonly VersionStage?: Stage;
  readonly ClientRequestToken?: string;
  readonly SecretString?: string;
  readonly VersionStages?: readonly Stage[];
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

type Operation = (secret: Secret, input: Input) => Promise<object> | object;

/** A request to the function that rotates a secret. */
export interface RotationRequest {
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
}

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
/** The rotation interval of the stack, in milliseconds. */
const intervalMs = 90 * 24 * 3_600_000;

/**
 * An emulator of Secrets Manager with versions and rotation, which the local service does not have. It invokes the real
 * rotation function for each step.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export class SecretsManager {
  readonly #secrets = new Map<string, Secret>();
  /** Invokes the rotation function. Throws an error if the function fails. */
  rotate: (request: RotationRequest) => Promise<void> = async () => {};
  /** Resolves when the latest rotation has ended. */
  rotated: Promise<void> = Promise.resolve();

  readonly server = createJsonServer(async (target, body) => {
    const operation = this.#operations[target.replace('secretsmanager.', '')];
    if (!operation) return unknownOperation(target);
    const input = JSON.parse(body) as Input;
    const found = await operation(this.#secret(input.SecretId), input);
    if ('__type' in found) return { status: 400, body: found };
    return { status: 200, body: { ARN: input.SecretId, Name: input.SecretId, ...found } };
  }, 'InternalServiceError');

  /** Returns the current value of the secret whose name contains the given text. */
  current(part: string): string {
    return valueOf(this.#named(part), 'AWSCURRENT')!;
  }

  /** Changes the current value of the secret whose name contains the given text. */
  edit(part: string, change: (value: string) => string): void {
    const { values, stages } = this.#named(part);
    values.set(stages.get('AWSCURRENT')!, change(this.current(part)));
  }

  #named(part: string): Secret {
    const [found] = [...this.#secrets].filter(([name]) => name.includes(part));
    if (!found) throw new Error(`no function has read a secret that is named ${part}`);
    return found[1];
  }

  readonly #operations: Readonly<Record<string, Operation>> = {
    GetSecretValue(secret, { VersionId, VersionStage = 'AWSCURRENT' }) {
      const id = secret.stages.get(VersionStage);
      const value = valueOf(secret, VersionStage);
      if (value === undefined || (VersionId !== undefined && VersionId !== id))
        return { __type: 'ResourceNotFoundException' };
      return { VersionId: id, SecretString: value };
    },
    PutSecretValue(secret, { ClientRequestToken: id = randomUUID(), SecretString, VersionStages }) {
      secret.values.set(id, SecretString!);
      for (const stage of VersionStages ?? (['AWSCURRENT'] as const)) secret.stages.set(stage, id);
      return { VersionId: id };
    },
    UpdateSecretVersionStage(secret, { VersionStage, MoveToVersionId, RemoveFromVersionId }) {
      if (secret.stages.get(VersionStage!) !== RemoveFromVersionId)
        return { __type: 'InvalidParameterException' };
      if (MoveToVersionId === undefined) secret.stages.delete(VersionStage!);
      else secret.stages.set(VersionStage!, MoveToVersionId);
      return {};
    },
    DescribeSecret: ({ lastRotatedAt }) =>
      lastRotatedAt === undefined
        ? {}
        : {
            LastRotatedDate: lastRotatedAt / 1_000,
            NextRotationDate: (lastRotatedAt + intervalMs) / 1_000,
          },
    RotateSecret: (secret, { SecretId }) => {
      const id = randomUUID();
      // As in AWS, respond before the rotation ends.
      this.rotated = this.#rotate(secret, { SecretId, ClientRequestToken: id }).catch(() => {});
      return { VersionId: id };
    },
  };

  async #rotate(secret: Secret, request: Omit<RotationRequest, 'Step'>): Promise<void> {
    for (const Step of steps) await this.rotate({ ...request, Step });
    secret.lastRotatedAt = Date.now();
  }

  /** Finds a secret by its name, or creates it with the value that CloudFormation would generate. */
  #secret(name: string): Secret {
    const known = this.#secrets.get(name);
    if (known) return known;
    const password = randomBytes(32).toString('hex');
    const value = name.includes('SigningKeys') ? JSON.stringify({ 0: password }) : password;
    const created: Secret = {
      values: new Map([['first', value]]),
      stages: new Map([['AWSCURRENT', 'first']]),
      lastRotatedAt: undefined,
    };
    this.#secrets.set(name, created);
    return created;
  }
}

const valueOf = ({ values, stages }: Secret, stage: Stage) => values.get(stages.get(stage) ?? '');
