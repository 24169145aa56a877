import { describe, expect, it } from 'vitest';
import { loadHandler } from '../../../../src/aws-local/lambda/environment/load-handler.ts';
import { bundle } from '../bundles.ts';

const fine = 'export const handler = () => "fine";';

describe('loadHandler', () => {
  it.each([
    ['in a module', fine, 'index.mjs', 'index.handler', 'fine'],
    [
      'nested in an export',
      'export const api = { get: () => "deep" };',
      'index.mjs',
      'index.api.get',
      'deep',
    ],
    [
      'in a default export',
      'export default { handler: () => "default" };',
      'index.mjs',
      'index.handler',
      'default',
    ],
    ['in CommonJS', 'exports.handler = () => "common";', 'index.cjs', 'index.handler', 'common'],
    ['in a file with another name', fine, 'main.mjs', 'main.handler', 'fine'],
  ])('finds a handler %s', async (_where, source, file, handler, result) => {
    const run = await loadHandler(await bundle(source, file), handler);
    expect(run({}, {})).toBe(result);
  });

  it.each([
    [
      'a missing export',
      'export const other = 1;',
      'index.handler',
      'HandlerNotFound',
      'index.handler is undefined or not exported',
    ],
    [
      'an export that is not a function',
      'export const handler = 1;',
      'index.handler',
      'HandlerNotFound',
      'index.handler is not a function',
    ],
    [
      'a missing file',
      fine,
      'main.handler',
      'ImportModuleError',
      "Error: Cannot find module 'main'",
    ],
    ['a name without a dot', fine, 'index', 'MalformedHandlerName', 'Bad handler'],
    [
      'a callback handler',
      'export const handler = (event, context, callback) => callback(null, 1);',
      'index.handler',
      'CallbackHandlerDeprecated',
      expect.stringMatching(/^ERROR: AWS Lambda has removed support for callback-based/),
    ],
  ])('uses the error names of AWS for %s', async (_what, source, handler, name, message) => {
    const loading = loadHandler(await bundle(source), handler);
    await expect(loading).rejects.toMatchObject({ name: `Runtime.${name}`, message });
  });

  it('rethrows errors that the module throws', async () => {
    const loading = loadHandler(await bundle('throw new RangeError("no table");'), 'index.handler');
    await expect(loading).rejects.toMatchObject({ name: 'RangeError', message: 'no table' });
  });
});
