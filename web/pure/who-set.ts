import type { Json } from '../../src/core/json/json.ts';
import { pointerOf } from '../../src/core/json/json-pointer.ts';
import { explain } from '../../src/core/replay/explain.ts';

/**
 * Finds the step that set each field of a state, by the field's JSON Pointer.
 *
 * @param states the state after each step, beginning with the first step.
 * @param step the step whose state is explained, counted from 1.
 */
export function whoSet(states: readonly unknown[], step: number): ReadonlyMap<string, number> {
  const explained = explain<number>(states[step - 1] as Json);
  for (let by = step; by > 0 && !explained.isComplete; by--)
    explained.stepBack(states[by - 2] as Json | undefined, by);
  return new Map(explained.fields().map(({ path, setBy }) => [pointerOf(path), setBy!]));
}
