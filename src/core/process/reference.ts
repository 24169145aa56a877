import type { Description } from '../model/description.ts';
import { isReference } from '../model/reference.ts';
import type { ProcessDeclaration } from './declaration.ts';
import { own, type ProcessState } from './state.ts';

/**
 * Returns the customer's reference, which is kept from an event; nothing if no event had one, or if the value is not
 * suitable. An event is never rejected because of a reference, which only the customer page shows.
 */
export function referenceIn(
  { reference: name }: ProcessDeclaration,
  { kept }: ProcessState,
): Pick<Description, 'reference'> {
  const value = name === undefined ? undefined : own(kept, name);
  const reference = typeof value === 'number' ? String(value) : value;
  return typeof reference === 'string' && isReference(reference) ? { reference } : {};
}
