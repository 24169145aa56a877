/**
 * A node of a view. Views are data that the server converts to HTML and a browser converts to DOM nodes. The server and
 * the browser treat strings as text, never as markup.
 */
export type ViewNode = string | ViewElement;

/** An element in a view. The element must not be a void element, such as `br`. */
export interface ViewElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ViewNode[];
}

/** Creates an element. Attributes and children that are undefined are omitted. */
export function el(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (ViewNode | undefined)[]
): ViewElement {
  const present = Object.entries(attributes).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return {
    tag,
    attributes: Object.fromEntries(present),
    children: children.filter((each) => each !== undefined),
  };
}
