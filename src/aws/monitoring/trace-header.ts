/**
 * Converts an X-Ray trace header to the `traceparent` attribute of outgoing events.
 *
 * @param header the value of `_X_AMZN_TRACE_ID`: `Root=1-…;Parent=…;Sampled=1`.
 * @returns undefined if the invocation is not sampled, or if the header is missing or malformed.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function traceparentOf(header: string | undefined): string | undefined {
  const fields = new Map(
    header?.split(';').map((field) => field.split('=', 2) as [string, string]) ?? [],
  );
  const [, time, random] = /^1-([\da-f]{8})-([\da-f]{24})$/.exec(fields.get('Root') ?? '') ?? [];
  const parent = fields.get('Parent');
  if (!time || !random || !parent || fields.get('Sampled') !== '1') return undefined;
  return `00-${time}${random}-${parent}-01`;
}
