import { styleText } from 'node:util';
import type { Environment, Output } from '../context.ts';

/** The few styles the command line uses. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Gives a text a style, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/**
 * The painter for one stream: colours on a terminal that has them. `FORCE_COLOR` asks for them
 * anywhere (https://force-color.org), or nowhere where it is 0 or false, as in Node.js; `NO_COLOR`
 * set to anything overrules it (https://no-color.org).
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
