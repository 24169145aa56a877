import { createHash } from 'node:crypto';

/**
 * Returns the source of the events that an instance sends. The source contains a digest instead of the instance's name
 * if the name is too long.
 */
export function sourceOf(model: string, transaction: string): string {
  const name = `milepost:${model}/${transaction}`;
  if (Array.from(name).length <= 256) return name;
  return `milepost:${model}/sha256:${createHash('sha256').update(transaction).digest('hex')}`;
}
