/** Returns the path of an instance, relative to `/api`. */
export function instancePath(model: string, transaction: string): string {
  return `/instances/${encodeURIComponent(model)}/${encodeURIComponent(transaction)}`;
}

/** Returns the path of the links to an instance's status page, relative to `/api`. */
export function instanceLinksPath(model: string, transaction: string): string {
  return `${instancePath(model, transaction)}/links`;
}

/** Returns the path of a model, relative to `/api`. */
export function modelPath(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

/** Returns the path of a dead letter, relative to `/api`. */
export function deadLetterPath(id: string): string {
  return `/dead-letters/${encodeURIComponent(id)}`;
}
