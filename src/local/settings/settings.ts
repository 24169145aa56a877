import { isWebhookSecret } from '../../aws-local/eventbridge/webhooks/webhook-secret.ts';
import type { ListenHost } from '../../aws-local/server/listen.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { isPackage } from '../../package-folder.ts';

/** The environment variables that set the ports. */
export const portVariables = {
  api: 'MILEPOST_PORT',
  kinesis: 'MILEPOST_KINESIS_PORT',
  dynamodb: 'MILEPOST_DYNAMODB_PORT',
  lambda: 'MILEPOST_LAMBDA_PORT',
  eventBridge: 'MILEPOST_EVENTBRIDGE_PORT',
} as const;

/** The settings of the local service, read from environment variables. */
export interface LocalSettings {
  readonly host: ListenHost;
  /** The ports on which the endpoints listen; 0 picks a free port. */
  readonly ports: Readonly<Record<'api' | 'kinesis' | 'dynamodb' | 'lambda', number>>;
  /** The ports to try for the EventBridge endpoint, in order. */
  readonly eventBridgePorts: readonly number[];
  /** The folder that keeps state between runs, or null to keep the state in memory. */
  readonly dataFolder: string | null;
  /** The folder with the models to run, and whether to reload saved models; null for the shipped models. */
  readonly models: { readonly folder: string; readonly reload: boolean } | null;
  /**
   * The URLs that receive notifications, and the secret that signs the requests. If the secret is null, the service
   * uses the secret in the data folder, which it generates if there is none.
   */
  readonly webhooks: { readonly urls: readonly string[]; readonly secret: string | null };
  /** True to load demo data into the service. */
  readonly demo: boolean;
}

/**
 * Reads the settings from environment variables. Unset variables have defaults.
 *
 * @throws StartError if a variable is invalid or settings conflict.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const port = <Usual>(name: string, usual: Usual) => {
    const text = env[name] ?? '';
    if (text === '') return usual;
    const number = Number(text);
    if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
    throw new StartError(`${name} must be a port from 0 to 65535; got ${JSON.stringify(text)}`);
  };
  const ports = {
    api: port(portVariables.api, 4500),
    kinesis: port(portVariables.kinesis, 4567),
    dynamodb: port(portVariables.dynamodb, 4568),
    lambda: port(portVariables.lambda, 4569),
  };
  const eventBridge = port(portVariables.eventBridge, null);
  const taken = [...Object.values(ports), eventBridge ?? 0].filter((number) => number !== 0);
  const twice = taken.find((number, index) => taken.indexOf(number) !== index);
  if (twice !== undefined) {
    const all = { ...ports, eventBridge };
    const names = (Object.keys(all) as (keyof typeof all)[]).filter((name) => all[name] === twice);
    const variables = names.map((name) => portVariables[name]).join(' and ');
    throw new StartError(`two endpoints cannot share port ${twice}; change one of ${variables}`);
  }
  // By default, try a free port too so that users who run two services need not configure this endpoint.
  const usual = taken.includes(4570) ? [0] : [4570, 0];
  const eventBridgePorts = eventBridge === null ? usual : [eventBridge];
  const folder = env.MILEPOST_DATA ?? '.milepost';
  const webhooks = { urls: readWebhooks(env.MILEPOST_WEBHOOK), secret: readSecret(env) };
  const models = readModels(env);
  const demo = readSwitch(env, 'MILEPOST_DEMO', 'off');
  if (demo && models)
    throw new StartError(
      `the demo data belongs to the shipped models and cannot be used with those in ${models.folder}; ${isPackage ? 'run the demo in a clone of the Milepost repository' : 'unset MILEPOST_MODELS'}`,
    );
  const host = readHost(env);
  return {
    host,
    ports,
    eventBridgePorts,
    dataFolder: folder === '' ? null : folder,
    models,
    webhooks,
    demo,
  };
}

function readHost({ MILEPOST_HOST }: Parameters<typeof readSettings>[0]): ListenHost {
  const host = MILEPOST_HOST || '127.0.0.1';
  if (host === '127.0.0.1' || host === '0.0.0.0') return host;
  throw new StartError(
    `MILEPOST_HOST must be 127.0.0.1 (this machine only) or 0.0.0.0 (all networks); got ${JSON.stringify(host)}`,
  );
}

/**
 * Reads the settings of the models folder. In the npm package, which contains no models, the folder defaults to
 * `models`.
 */
function readModels(env: Parameters<typeof readSettings>[0]) {
  const folder = env.MILEPOST_MODELS || (isPackage ? 'models' : null);
  const reload = readSwitch(env, 'MILEPOST_RELOAD', 'on');
  return folder === null ? null : { folder, reload };
}

function readSwitch(
  env: Parameters<typeof readSettings>[0],
  name: string,
  usual: 'on' | 'off',
): boolean {
  const value = env[name] || usual;
  if (value === 'on' || value === 'off') return value === 'on';
  throw new StartError(`${name} must be on or off; got ${JSON.stringify(value)}`);
}

/** Parses URLs that are separated by commas or white space. */
function readWebhooks(text = ''): string[] {
  const given = text.split(/[\s,]+/).filter((part) => part !== '');
  const urls = given.map((part) => {
    const url = URL.parse(part);
    if (!url || !['http:', 'https:'].includes(url.protocol))
      throw new StartError(
        `MILEPOST_WEBHOOK must contain only http or https URLs; got ${JSON.stringify(part)}`,
      );
    if (url.username || url.password)
      throw new StartError('MILEPOST_WEBHOOK must not contain a URL with a user name or password');
    return url.href;
  });
  return [...new Set(urls)];
}

function readSecret({ MILEPOST_WEBHOOK_SECRET: secret = '' }: Parameters<typeof readSettings>[0]) {
  if (secret === '') return null;
  if (isWebhookSecret(secret)) return secret;
  // Do not include the secret in the message, because other people may read the log.
  throw new StartError(
    'MILEPOST_WEBHOOK_SECRET must be whsec_ followed by 24 to 64 bytes in Base64',
  );
}
