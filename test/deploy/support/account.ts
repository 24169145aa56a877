import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Credentials } from '../../../src/aws/client/transport/signature.ts';
import { MiniStack } from './ministack.ts';
import type { Target } from './target.ts';

/** The connection to an HTTP API. */
export interface Route {
  /** The server to connect to. */
  readonly endpoint: URL;
  /** The host name of requests. */
  readonly host: string;
  /** A certificate to trust in addition to the machine's certificates. */
  readonly ca?: Buffer;
}

/** An AWS account, real or emulated, to deploy into. */
export interface Account {
  /** The environment variables for the CDK and the AWS CLI. */
  readonly variables: NodeJS.ProcessEnv;
  readonly region: string;
  credentials(): Promise<Credentials>;
  /** @param url the URL of an HTTP API in the stack's outputs. */
  routeTo(url: string): Route;
  /** The URL that `milepost --api` uses for an HTTP API. @param url the URL in the stack's outputs. */
  apiFor(url: string): string;
  close(): Promise<void>;
}

const anybody = { accessKeyId: 'test', secretAccessKey: 'test' };
const nowhereElse = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')),
);

export const openAccount: Readonly<Record<Target, () => Promise<Account>>> = {
  async ministack() {
    const emulator = await MiniStack.start();
    const ca = await readFile(emulator.certificate);
    return {
      ...emulated(emulator.endpoint, {
        ...nowhereElse,
        // Omit these variables, which would select the AWS account that the machine is configured for.
        AWS_CONFIG_FILE: devNull,
        AWS_SHARED_CREDENTIALS_FILE: devNull,
        NODE_EXTRA_CA_CERTS: emulator.certificate,
        AWS_CA_BUNDLE: emulator.certificate,
      }),
      routeTo: (url) => ({
        endpoint: new URL(emulator.endpoint),
        host: `${apiId(url)}.execute-api.localhost`,
        ca,
      }),
      apiFor: (url) => pathOfApi(emulator.endpoint, url),
      close: () => emulator.stop(),
    };
  },

  localstack() {
    const endpoint = new URL(process.env.AWS_ENDPOINT_URL!);
    return Promise.resolve({
      ...emulated(endpoint.origin, process.env),
      routeTo: (url: string) => ({
        endpoint,
        host: `${apiId(url)}.execute-api.localhost.localstack.cloud:${endpoint.port || 80}`,
      }),
      apiFor: (url: string) => pathOfApi(endpoint.origin, url),
      close: () => Promise.resolve(),
    });
  },

  aws() {
    const region = process.env.AWS_REGION!;
    const client = new LambdaClient({ region });
    return Promise.resolve({
      // Version 1 of the AWS CLI supports only the older name.
      variables: { ...process.env, AWS_DEFAULT_REGION: region },
      region,
      credentials: () => client.config.credentials(),
      routeTo: (url: string) => ({ endpoint: new URL(url), host: new URL(url).host }),
      apiFor: (url: string) => url,
      close: () => Promise.resolve(client.destroy()),
    });
  },
};

function emulated(endpoint: string, variables: NodeJS.ProcessEnv) {
  const region = 'us-east-1';
  return {
    variables: {
      ...variables,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: anybody.accessKeyId,
      AWS_SECRET_ACCESS_KEY: anybody.secretAccessKey,
    },
    region,
    credentials: () => Promise.resolve(anybody),
  };
}

/** Returns the id of an HTTP API, which is the first label of its host name. */
const apiId = (url: string) => new URL(url).hostname.split('.', 1)[0];

/** Returns the URL at which an emulator serves an HTTP API on its own port. */
const pathOfApi = (endpoint: string, url: string) =>
  `${endpoint}/_aws/execute-api/${apiId(url)}/$default`;
