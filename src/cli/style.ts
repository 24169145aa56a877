import { styleText } from 'node:util';
import type { Environment, Output } from './context.ts';

/** The few styles the command line uses. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Gives a text a style, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/**
 * The painter for one stream: colours on a terminal that has them, unless `NO_COLOR` is set to
 * anything (https://no-color.org).
 */
export function painterFor(output: Output, env: Environment): Paint {
  const colours = !env.NO_COLOR && output.isTTY === true && (output.getColorDepth?.(env) ?? 1) > 1;
  return colours
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}
