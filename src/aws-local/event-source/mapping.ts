/** What an event source mapping joins: a stream and a function, under a name of its own. */
export interface Mapping {
  /** The mapping's own id; it names the folder of its discarded batches. */
  readonly uuid: string;
  readonly streamArn: string;
  readonly functionArn: string;
  /** The function's role, told to the function as `invokeIdentityArn`. */
  readonly roleArn: string;
}

/** The region in an ARN. */
export function regionOf(arn: string): string {
  return arn.split(':')[3] ?? '';
}
