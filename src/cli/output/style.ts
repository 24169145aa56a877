import { styleText } from 'node:util';
import type { Environment, Output } from '../context.ts';

/** The text styles that the CLI uses. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Applies a style to text, unless colors are off. */
export type Paint = (style: Style, text: string) => string;

/**
 * Creates the painter for a stream. By default, colors are on if the stream is a terminal that supports them. As in
 * Node.js, `FORCE_COLOR` turns colors on (https://force-color.org), or off if it is 0 or false. A non-empty `NO_COLOR`
 * takes precedence and turns colors off (https://no-color.org).
 */
export function painterFor(output: Output, env: Environment): Paint {
  return supportsColor(output, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

function supportsColor(output: Output, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  return output.isTTY === true && (output.getColorDepth?.(env) ?? 1) > 1;
}
