import type { Chance } from '../../../src/common/chance.ts';

const fillers = ['🚲', 'é', '/', '%2F', '#', '?&=', ' b', '日本', '..', 'x'];
/** The maximum length of a transaction id or an event id, in characters. */
const maximumLength = 256;

/**
 * Returns the prefix, in a fifth of all cases followed by a repeated filler, such as an emoji, a slash, or an escape
 * sequence. Some names have the maximum length.
 */
export function nameFrom(chance: Chance, prefix: string, longest = maximumLength): string {
  if (!chance.happens(0.2)) return prefix;
  const filler = chance.pick(fillers);
  const length = chance.pick([longest, chance.whole(1, longest)]);
  const characters = Array.from(prefix + filler.repeat(longest)).slice(0, length);
  const name = characters.join('').trim();
  return name.startsWith(prefix) ? name : prefix;
}
