import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Credentials } from '../../../src/aws/client/transport/signature.ts';
import { MiniStack } from './ministack.ts';
import type { Target } from './target.ts';

/** How requests get to an HTTP API. */
export interface Route {
  /** The server to connect to. */
  readonly endpoint: URL;
  /** The host that is asked. */
  readonly host: string;
  /** A certificate to trust besides those of the machine. */
  readonly ca?: Buffer;
}

/** An account of AWS, real or not, to deploy into. */
export interface Account {
  /** What the CDK's and AWS's command lines find it by, with all else that they need. */
  readonly variables: NodeJS.ProcessEnv;
  readonly region: string;
  credentials(): Promise<Credentials>;
  /** @param url of an HTTP API, as the stack says it. */
  routeTo(url: string): Route;
  /** The address by which `milepost --api` reaches an HTTP API. @param url as the stack says it. */
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
        // What the machine's owner set up for accounts of theirs.
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
      // Version 1 of the AWS command line knows only the older name.
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

/** The first label of its host, whatever the rest. */
const apiId = (url: string) => new URL(url).hostname.split('.', 1)[0];

/** As docs/deploy.md says for MiniStack and LocalStack. */
const pathOfApi = (endpoint: string, url: string) =>
  `${endpoint}/_aws/execute-api/${apiId(url)}/$default`;
