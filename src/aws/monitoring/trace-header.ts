/**
 * The attribute `traceparent` for what is sent while X-Ray traces an invocation.
 *
 * @param header what Lambda puts in `_X_AMZN_TRACE_ID`: `Root=1-…;Parent=…;Sampled=1`.
 * @returns undefined where the invocation is not recorded.
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
