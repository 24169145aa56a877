import validations from 'kinesalite/validations/index.js';

/**
 * Makes kinesalite reject a request with a list or a map that contains null, such as `Records` or `Tags`. kinesalite
 * reads the members of each item after its validation, so null would crash the process.
 */
export function rejectNulls(): void {
  const { checkTypes } = validations;
  validations.checkTypes = (request, types) => {
    const checked = checkTypes(request, types);
    for (const [name, value] of Object.entries(checked)) {
      if (typeof value !== 'object' || value === null) continue;
      const found = Object.entries(value).find(([, member]) => member === null);
      if (found) throw nullError(name, Array.isArray(value) ? `${Number(found[0]) + 1}` : found[0]);
    }
    return checked;
  };
}

/** Creates an error in the format that kinesalite expects. */
function nullError(name: string, key: string): Error {
  const member = `${name.charAt(0).toLowerCase()}${name.slice(1)}.${key}.member`;
  const message = `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  const body = { __type: 'ValidationException', message };
  return Object.assign(new Error(message), { statusCode: 400, body });
}
