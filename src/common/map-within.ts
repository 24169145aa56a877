/**
 * Maps inputs in order and stops before the total size of the returned outputs would exceed a limit. Always returns the
 * output of the first input. At most one output is computed and then discarded, so memory use stays low.
 */
export function mapWithin<Input, Output>(
  limit: number,
  inputs: readonly Input[],
  map: (input: Input) => Output,
  sizeOf: (output: Output) => number,
): Output[] {
  const outputs: Output[] = [];
  let size = 0;
  for (const input of inputs) {
    const output = map(input);
    size += sizeOf(output);
    if (size > limit && outputs.length > 0) break;
    outputs.push(output);
  }
  return outputs;
}
