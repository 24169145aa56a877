import type { ViewNode } from './view-node.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign]!);

export function toHtml(node: ViewNode): string {
  if (typeof node === 'string') return escape(node);
  const { tag, attributes, children } = node;
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
  return `<${tag}${named.join('')}>${children.map(toHtml).join('')}</${tag}>`;
}
