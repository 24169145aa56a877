/** The identity of an event source mapping between a stream and a function. */
export interface MappingIdentity {
  /** The mapping's id, which is part of the object keys of discarded batches. */
  readonly uuid: string;
  readonly streamArn: string;
  readonly functionArn: string;
  /** The function's role, which the function receives as `invokeIdentityArn`. */
  readonly roleArn: string;
}
