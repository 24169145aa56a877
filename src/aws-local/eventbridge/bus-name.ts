/** Returns the name of a bus from its name or ARN, or `default` if both are missing. */
export function busNameOf(nameOrArn: string | null | undefined): string {
  if (!nameOrArn) return 'default';
  return nameOrArn.replace(/^arn:[^:]*:events:[^:]*:[^:]*:event-bus\//, '');
}
