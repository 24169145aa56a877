/**
 * A parsed node of a source file. Milepost declares this type because oxc's types do not support a walk over all nodes.
 */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/**
 * Returns the text of a string or a template, or undefined for another node. Replaces each placeholder with inline
 * code.
 */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('`x`');
}
