/**
 * A setting that the CDK app gives to a function.
 *
 * @throws Error when it is not set, which is a mistake in the deployment.
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** A setting that the CDK app may leave out. */
export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;
