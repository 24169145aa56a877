import type { ViewNode } from '../../src/customer-page/view-node.ts';

/**
 * Converts a view to DOM nodes. Unlike code that parses HTML, this function works on pages that enforce Trusted Types.
 */
export function toDom(node: ViewNode): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const element = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  element.append(...node.children.map(toDom));
  return element;
}
