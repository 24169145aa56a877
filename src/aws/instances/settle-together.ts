import { halvesOf } from '../../common/chunks.ts';
import { isPermanent } from '../../core/errors.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import { UnprocessedKeysError } from '../dynamodb/batch-get.ts';
import { partitionOf } from './instance-keys.ts';

/**
 * Reads many instances with shared requests. If DynamoDB throttles the partitions of some instances, the others are
 * read again without them, so only the throttled instances fail. After a permanent error, for example, because one
 * instance's stored data is damaged, the instances are read again in smaller groups, so only the instances that cause
 * the error fail.
 */
export async function settleTogether<Input, Value>(
  inputs: readonly Input[],
  instanceOf: (input: Input) => InstanceKey,
  read: (inputs: readonly Input[]) => Promise<SettledResult<Value>[]>,
): Promise<SettledResult<Value>[]> {
  try {
    return await read(inputs);
  } catch (error) {
    if (isPermanent(error) && inputs.length > 1) {
      const halves = halvesOf(inputs).map((half) => settleTogether(half, instanceOf, read));
      return (await Promise.all(halves)).flat();
    }
    const keys = error instanceof UnprocessedKeysError ? error.keys : [];
    const throttled = new Set(keys.map(({ pk }) => pk!.S!));
    const isThrottled = (input: Input) => throttled.has(partitionOf(instanceOf(input)));
    const others = inputs.filter((input) => !isThrottled(input));
    if (others.length === 0 || others.length === inputs.length)
      return inputs.map(() => ({ error }));
    const results = (await settleTogether(others, instanceOf, read)).values();
    return inputs.map((input) => (isThrottled(input) ? { error } : results.next().value!));
  }
}
