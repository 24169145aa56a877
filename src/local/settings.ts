/** What `npm start` reads from its environment. */
export interface LocalSettings {
  /** Where it listens; 0 picks a free port. */
  readonly ports: Readonly<Record<'api' | 'kinesis' | 'dynamodb' | 'lambda', number>>;
  /** Where state is kept between runs; null: in memory. */
  readonly dataFolder: string | null;
}

/** Thrown where the service cannot start for a reason that the user can mend: one line. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

/**
 * Reads the settings; what is not set has a default.
 *
 * @throws StartError that names the variable with a bad value.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const port = (name: string, usual: number) => {
    const text = env[name] ?? '';
    if (text === '') return usual;
    const number = Number(text);
    if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
    throw new StartError(`${name} must be a port, 0 to 65535, and is ${JSON.stringify(text)}`);
  };
  const ports = {
    api: port('MILEPOST_PORT', 4500),
    kinesis: port('MILEPOST_KINESIS_PORT', 4567),
    dynamodb: port('MILEPOST_DYNAMODB_PORT', 4568),
    lambda: port('MILEPOST_LAMBDA_PORT', 4569),
  };
  const taken = Object.values(ports).filter((number) => number !== 0);
  const twice = taken.find((number, index) => taken.indexOf(number) !== index);
  if (twice !== undefined) throw new StartError(`port ${twice} is set for two endpoints`);
  const folder = env.MILEPOST_DATA ?? '.milepost';
  return { ports, dataFolder: folder === '' ? null : folder };
}
