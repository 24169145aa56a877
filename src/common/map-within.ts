/**
 * Maps the first inputs, until the total size of the outputs would exceed a limit. Maps at least one input, and at most
 * one more than it returns, so that few outputs are in memory at the same time.
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
