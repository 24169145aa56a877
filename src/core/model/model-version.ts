/** A model's code as one deployment left it: Lambda's published version of its function, which never changes. */
export interface ModelVersion {
  /** The number that Lambda gave it: a whole number from 1, higher with every deployment. */
  readonly functionVersion: string;
  /** What the model itself says of its version; several deployments may say the same. */
  readonly version: number;
  /** With the number behind it, so that it runs this code and no other. */
  readonly functionArn: string;
  /** RFC 3339 in UTC. */
  readonly registeredAt: string;
}

/** How many versions of a model's code the registry keeps. */
export const maximumVersions = 20;

/** The form of the number of a published version; `$LATEST` is none. */
export const functionVersionPattern = /^[1-9][0-9]{0,8}$/;

/** Whether a text can be the number of a published version. */
export const isFunctionVersion = (text: unknown): text is string =>
  typeof text === 'string' && functionVersionPattern.test(text);

/**
 * The versions that can be gone back to once another one is deployed, newest first: those of the same
 * function that came before it. Later ones were published by a deployment that failed, and are gone.
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

/** The ARN of the function itself: without the number of a version. */
export const unqualifiedArn = (qualifiedArn: string) => qualifiedArn.replace(/:[1-9]\d*$/, '');
