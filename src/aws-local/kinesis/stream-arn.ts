import { jsonIn } from '../../common/json-in.ts';

/** An error that a Kinesis response reports. */
export interface KinesisError {
  readonly __type: string;
  readonly message: string;
}

const pattern = /^arn:aws[^:]*:kinesis:[^:]*:\d{12}:stream\/(\S+)$/;

/**
 * Replaces `StreamARN` in a request with `StreamName`, which kinesalite supports. Accepts any region and account in the
 * ARN because the endpoint accepts any credentials.
 *
 * @param json the request. Invalid JSON and requests without a `StreamARN` are returned unchanged.
 */
export function nameStream(json: string): string | KinesisError {
  if (!json.includes('"StreamARN"')) return json;
  const request = jsonIn(json);
  if (typeof request !== 'object' || request === null || !('StreamARN' in request)) return json;
  const { StreamARN: arn, ...rest } = request as { StreamARN: unknown; StreamName?: unknown };
  if (arn === null) return JSON.stringify(rest);
  if (typeof arn !== 'string')
    return { __type: 'SerializationException', message: 'StreamARN must be a string' };
  const [, resource] = pattern.exec(arn) ?? [];
  if (resource === undefined) {
    const reason = `Value '${arn}' at 'streamARN' failed to satisfy constraint: Member must satisfy regular expression pattern: arn:aws.*:kinesis:.*:\\d{12}:stream/\\S+`;
    return { __type: 'ValidationException', message: `1 validation error detected: ${reason}` };
  }
  // The ARN of a consumer starts with the ARN of its stream.
  const [name] = resource.split('/');
  if (rest.StreamName !== undefined && rest.StreamName !== null && rest.StreamName !== name) {
    const message = `StreamARN and StreamName must refer to the same stream; got ${arn} and ${JSON.stringify(rest.StreamName)}`;
    return { __type: 'InvalidArgumentException', message };
  }
  return JSON.stringify({ ...rest, StreamName: name });
}
