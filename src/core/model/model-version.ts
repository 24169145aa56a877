/** A published version of a model's code: an immutable version of its Lambda function. */
export interface ModelVersion {
  /**
   * The version number that Lambda assigned: 1 for the first version, and a higher number for each deployment that
   * changes the function.
   */
  readonly functionVersion: string;
  /** The version that the model declares. Several deployments can declare the same version. */
  readonly version: number;
  /** The function's ARN, qualified with the version number so that an invocation always runs this code. */
  readonly functionArn: string;
  /** When the registration of the version was requested, RFC 3339 in UTC. */
  readonly registeredAt: string;
}

/** The maximum number of versions of a model's code in the registry. */
export const maximumVersions = 20;

/** The format of a published version number. `$LATEST` does not match. */
export const functionVersionPattern = /^[1-9][0-9]{0,8}$/;

/** Returns true if a value has the format of a published version number. */
export const isFunctionVersion = (text: unknown): text is string =>
  typeof text === 'string' && functionVersionPattern.test(text);

/**
 * Returns the versions that can run after a deployment, newest first and up to the maximum number: the deployed version
 * and the earlier versions of the same function, which a rollback can restore. Later versions no longer exist: they
 * belong to a deployment that failed and was rolled back.
 */
export function addDeployedVersion(
  versions: readonly ModelVersion[],
  deployed: ModelVersion,
): ModelVersion[] {
  const isBefore = ({ functionArn, functionVersion }: ModelVersion) =>
    unqualifiedArn(functionArn) === unqualifiedArn(deployed.functionArn) &&
    Number(functionVersion) < Number(deployed.functionVersion);
  return [deployed, ...versions.filter(isBefore)].slice(0, maximumVersions);
}

/** Returns the ARN of a function without its version number. */
export const unqualifiedArn = (qualifiedArn: string) => qualifiedArn.replace(/:[1-9]\d*$/, '');
