/**
 * Returns a required setting, which the CDK app sets as an environment variable.
 *
 * @throws Error if the variable is not set or empty, which is a mistake in the deployment.
 */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** Returns an optional setting; undefined if the environment variable is not set or empty. */
export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;
