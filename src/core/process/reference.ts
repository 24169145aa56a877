import type { Description } from '../model/description.ts';
import { isReference } from '../model/reference.ts';
import type { ProcessDeclaration } from './declaration.ts';
import { own, type ProcessState } from './state.ts';

/**
 * Returns the customer's reference from the kept data; empty if no event contained a reference or the value cannot be a
 * reference. Only the customer page shows references, so an event with an invalid reference is not rejected.
 */
export function referenceIn(
  { reference: name }: ProcessDeclaration,
  { kept }: ProcessState,
): Pick<Description, 'reference'> {
  const value = name === undefined ? undefined : own(kept, name);
  const reference = typeof value === 'number' ? String(value) : value;
  return typeof reference === 'string' && isReference(reference) ? { reference } : {};
}
