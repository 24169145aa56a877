import { isWebhookSecret } from '../../aws-local/eventbridge/webhooks/webhook-secret.ts';
import type { ListenHost } from '../../aws-local/server/listen.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { isPackage } from '../../package-folder.ts';

/** The variable that sets each port. */
export const portVariables = {
  api: 'MILEPOST_PORT',
  kinesis: 'MILEPOST_KINESIS_PORT',
  dynamodb: 'MILEPOST_DYNAMODB_PORT',
  lambda: 'MILEPOST_LAMBDA_PORT',
  eventBridge: 'MILEPOST_EVENTBRIDGE_PORT',
} as const;

/** What `npm start` reads from its environment. */
export interface LocalSettings {
  readonly host: ListenHost;
  /** Where it listens; 0 picks a free port. */
  readonly ports: Readonly<Record<'api' | 'kinesis' | 'dynamodb' | 'lambda', number>>;
  /** The ports to try for the EventBridge endpoint, in order. */
  readonly eventBridgePorts: readonly number[];
  /** Where state is kept between runs; null: in memory. */
  readonly dataFolder: string | null;
  /** The folder with the models that run; null: those that are shipped. */
  readonly models: { readonly folder: string; readonly reload: boolean } | null;
  /** Where notifications go, and what signs them; null: a secret that the data folder keeps. */
  readonly webhooks: { readonly urls: readonly string[]; readonly secret: string | null };
}

/**
 * Reads the settings; what is not set has a default.
 *
 * @throws StartError that names the variable with a bad value.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const port = <Usual>(name: string, usual: Usual) => {
    const text = env[name] ?? '';
    if (text === '') return usual;
    const number = Number(text);
    if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
    throw new StartError(`${name} must be a port, 0 to 65535, and is ${JSON.stringify(text)}`);
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
    throw new StartError(`port ${twice} is set for two endpoints: ${variables}`);
  }
  // Nobody has to know of this endpoint to run two services beside each other.
  const usual = taken.includes(4570) ? [0] : [4570, 0];
  const eventBridgePorts = eventBridge === null ? usual : [eventBridge];
  const folder = env.MILEPOST_DATA ?? '.milepost';
  const webhooks = { urls: readWebhooks(env.MILEPOST_WEBHOOK), secret: readSecret(env) };
  const models = readModels(env);
  const host = readHost(env);
  return {
    host,
    ports,
    eventBridgePorts,
    dataFolder: folder === '' ? null : folder,
    models,
    webhooks,
  };
}

function readHost({ MILEPOST_HOST }: Parameters<typeof readSettings>[0]): ListenHost {
  const host = MILEPOST_HOST || '127.0.0.1';
  if (host === '127.0.0.1' || host === '0.0.0.0') return host;
  throw new StartError(
    `MILEPOST_HOST must be 127.0.0.1 (this machine) or 0.0.0.0 (every network), and is ${JSON.stringify(host)}`,
  );
}

/** The package has no models of its own. */
function readModels({
  MILEPOST_MODELS,
  MILEPOST_RELOAD = 'on',
}: Parameters<typeof readSettings>[0]) {
  const folder = MILEPOST_MODELS || (isPackage ? 'models' : null);
  if (MILEPOST_RELOAD !== 'on' && MILEPOST_RELOAD !== 'off')
    throw new StartError(
      `MILEPOST_RELOAD must be on or off, and is ${JSON.stringify(MILEPOST_RELOAD)}`,
    );
  return folder === null ? null : { folder, reload: MILEPOST_RELOAD === 'on' };
}

/** The URLs, which commas or white space separate. */
function readWebhooks(text = ''): string[] {
  const given = text.split(/[\s,]+/).filter((part) => part !== '');
  const urls = given.map((part) => {
    const url = URL.parse(part);
    if (!url || !['http:', 'https:'].includes(url.protocol))
      throw new StartError(
        `MILEPOST_WEBHOOK must be URLs of http or https, and has ${JSON.stringify(part)}`,
      );
    if (url.username || url.password)
      throw new StartError('MILEPOST_WEBHOOK must have no user name or password in a URL');
    return url.href;
  });
  return [...new Set(urls)];
}

function readSecret({ MILEPOST_WEBHOOK_SECRET: secret = '' }: Parameters<typeof readSettings>[0]) {
  if (secret === '') return null;
  if (isWebhookSecret(secret)) return secret;
  // It is not repeated: logs are read by others.
  throw new StartError('MILEPOST_WEBHOOK_SECRET must be whsec_ and then 24 to 64 bytes in base64');
}
