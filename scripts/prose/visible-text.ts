import { isNode, type Node, textOf } from './node.ts';

/** The attributes whose values people see or hear. */
const visibleAttributes = new Set(['alt', 'aria-label', 'label', 'placeholder', 'title']);

/**
 * Returns the visible text of a JSX element or attribute. Includes the text of child elements and replaces
 * placeholders and code with inline code. Returns undefined for other nodes and for elements without text of their own.
 */
export function visibleText(node: Node): string | undefined {
  if (node.type === 'JSXAttribute') {
    const { name, value } = node as { name: Node; value: unknown } & Node;
    return isNode(value) && visibleAttributes.has(String(name['name']))
      ? sentenceOf(value)
      : undefined;
  }
  const children = node['children'];
  const hasText =
    Array.isArray(children) &&
    children.some((child: Node) => child.type === 'JSXText' && /\S/.test(String(child['value'])));
  return hasText ? sentenceOf(node) : undefined;
}

function sentenceOf(node: Node): string {
  if (node.type === 'JSXText') return String(node['value']).replace(/\s*\n\s*/g, ' ');
  if (node.type === 'JSXExpressionContainer') return sentenceOf(node['expression'] as Node);
  const children = (node['children'] ?? []) as Node[];
  if (children.length === 0 || isCode(node)) return textOf(node) ?? '`x`';
  return children.map(sentenceOf).join('');
}

/** Returns true for `<code>` and `<kbd>`. A fragment has no name. */
function isCode(element: Node): boolean {
  const opening = element['openingElement'] as { name: Node } | undefined;
  return /^(code|kbd)$/.test(String(opening?.name['name']));
}
