import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RuntimeError } from './runtime-error.ts';

/** A handler without a callback parameter, the only kind that Lambda's Node.js 24 runtime supports. */
export type Handler = (event: unknown, context: object) => unknown;

/**
 * Imports a function's module and finds its handler.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html
 * @throws {RuntimeError} with the runtime's error name. Rethrows other errors that the module throws while it loads.
 */
export async function loadHandler(codePath: string, handler: string): Promise<Handler> {
  const [, file, path] = /^([^.]*)\.(.+)$/.exec(basename(handler)) ?? [];
  if (file === undefined || path === undefined) {
    throw new RuntimeError('Runtime.MalformedHandlerName', 'Bad handler');
  }
  const module = await importFirst(resolve(codePath, dirname(handler), file));
  const found = member(module, path) ?? member(member(module, 'default'), path);
  if (found === undefined || found === null) {
    throw new RuntimeError('Runtime.HandlerNotFound', `${handler} is undefined or not exported`);
  }
  if (!isFunction(found)) {
    throw new RuntimeError('Runtime.HandlerNotFound', `${handler} is not a function`);
  }
  // The runtime recognizes a callback handler only by the number of its parameters.
  if (found.length >= 3) {
    throw new RuntimeError(
      'Runtime.CallbackHandlerDeprecated',
      'ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24. You need to modify this function to use a supported handler signature to use Node.js 24 or later. For more information see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.',
    );
  }
  return found;
}

async function importFirst(pathWithoutExtension: string): Promise<unknown> {
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => pathWithoutExtension + extension)
    .find((candidate) => existsSync(candidate));
  if (path === undefined) {
    throw new RuntimeError(
      'Runtime.ImportModuleError',
      `Error: Cannot find module '${basename(pathWithoutExtension)}'`,
    );
  }
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const named = new RuntimeError('Runtime.UserCodeSyntaxError', String(error));
    named.stack = error.stack;
    throw named;
  }
}

function isFunction(value: unknown): value is Handler {
  return typeof value === 'function';
}

function member(holder: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }, holder);
}
