/** The name of a bus that is named by that or by its ARN; `default` where it is named by neither. */
export function busNameOf(nameOrArn: string | null | undefined): string {
  if (!nameOrArn) return 'default';
  return nameOrArn.replace(/^arn:[^:]*:events:[^:]*:[^:]*:event-bus\//, '');
}
