import { isDeepStrictEqual } from 'node:util';
import { must } from './accounts.ts';

const prototypes = [Object, Array, String, Number, Map, Promise].map(
  (type) => type.prototype as object,
);
const membersOf = () => prototypes.map((prototype) => Reflect.ownKeys(prototype));
const before = membersOf();

/** Checks that no member was added to a built-in prototype or removed from it. */
export function cleanPrototypes(): void {
  must(isDeepStrictEqual(membersOf(), before), () => 'a built-in prototype was changed');
}
