/** The files and proxies that a soak shares with the processes of the service. */
export interface SoakWorld {
  /** The file with the offset of the processes' clocks, in milliseconds. */
  readonly clockFile: string;
  /** The file with the latest wave of repairs of the model `fragile`. */
  readonly repairedFile: string;
  /**
   * The proxies that functions use instead of the endpoints, by the suffix of the variable `AWS_ENDPOINT_URL_<suffix>`.
   */
  readonly endpoints: Readonly<Record<string, string>>;
}

/** The environment variable that contains the `SoakWorld` as JSON. */
export const worldVariable = 'MILEPOST_SOAK_WORLD';

/** Reads the `SoakWorld` from the environment; undefined outside of a soak. */
export function soakWorld(): SoakWorld | undefined {
  const json = process.env[worldVariable];
  return json === undefined ? undefined : (JSON.parse(json) as SoakWorld);
}
