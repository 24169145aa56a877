/** A model's code as one deployment published it: a version of its Lambda function, which is immutable. */
export interface ModelVersion {
  /** The version number that Lambda assigned: an integer from 1 that grows with every deployment. */
  readonly functionVersion: string;
  /** The version that the model declares. Several deployments may declare the same one. */
  readonly version: number;
  /** Qualified with the version number, so that it always runs this code. */
  readonly functionArn: string;
  /** RFC 3339 in UTC. */
  readonly registeredAt: string;
}

/** The maximum number of versions of a model's code in the registry. */
export const maximumVersions = 20;

/** The format of a published version number. `$LATEST` does not match. */
export const functionVersionPattern = /^[1-9][0-9]{0,8}$/;

/** True if a text is the number of a published version. */
export const isFunctionVersion = (text: unknown): text is string =>
  typeof text === 'string' && functionVersionPattern.test(text);

/**
 * The versions to which a rollback is possible after a deployment, newest first: earlier versions of the same
 * function. Later ones belong to a deployment that failed and was rolled back, and no longer exist.
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

/** The ARN of the function without a version number. */
export const unqualifiedArn = (qualifiedArn: string) => qualifiedArn.replace(/:[1-9]\d*$/, '');
