/** The path of one instance, behind `/api`. */
export function instancePath(model: string, transaction: string): string {
  return `/instances/${encodeURIComponent(model)}/${encodeURIComponent(transaction)}`;
}

/** The path of the links to an instance's status page, behind `/api`. */
export function instanceLinksPath(model: string, transaction: string): string {
  return `${instancePath(model, transaction)}/links`;
}

/** The path of one model, behind `/api`. */
export function modelPath(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

/** The path of one dead letter, behind `/api`. */
export function deadLetterPath(id: string): string {
  return `/dead-letters/${encodeURIComponent(id)}`;
}
