import { expect, it } from 'vitest';
import { frameIn, stackFrames } from '../../../src/core/model/stack-frames.ts';

const withStack = (message: string, ...lines: readonly string[]) =>
  Object.assign(new Error(message), { stack: [`Error: ${message}`, ...lines].join('\n') });

it.each([
  ['    at sizeOf (file:///var/task/index.mjs:3:17)', 'sizeOf', '/var/task/index.mjs'],
  ['    at file:///var/task/index.mjs:3:17', '', '/var/task/index.mjs'],
  ['    at file:///models/claim.ts?version=2:3:17', '', '/models/claim.ts'],
  ['    at sizeOf (/models/why?/claim.ts:3:17)', 'sizeOf', '/models/why?/claim.ts'],
  ['    at async Promise.all (/var/task/index.mjs:3:17)', 'Promise.all', '/var/task/index.mjs'],
  ['    at Object.transition [as step] (/a/b.js:3:17)', 'Object.transition [as step]', '/a/b.js'],
  ['    at new Parcel (/a/with%20space/b.ts:3:17)', 'new Parcel', '/a/with space/b.ts'],
  [
    '    at process.tick (node:internal/process/task_queues:3:17)',
    'process.tick',
    'node:internal/process/task_queues',
  ],
])('frameIn parses %j', (line, name, file) => {
  expect(frameIn(line)).toEqual({ name, file, line: 3, column: 17 });
});

it.each(['    at Array.map (<anonymous>)', '    at native', 'Error: a:1:2', ''])(
  'frameIn finds no position in %j',
  (line) => {
    expect(frameIn(line)).toBeUndefined();
  },
);

it('stackFrames starts with the innermost position', () => {
  const [first] = stackFrames(new Error('here'));
  expect(first?.file).toContain('stack-frames.test.ts');
});

it('stackFrames ignores positions in the message', () => {
  const message = 'bad\n    at you (/etc/passwd:1:2)';
  const error = withStack(message, '    at me (/a/b.ts:3:4)');
  expect(stackFrames(error).map(({ file }) => file)).toEqual(['/a/b.ts']);
});

it.each([
  ['a string', 'a text'],
  ['undefined', undefined],
  ['an object whose stack is not a string', { stack: 1 }],
  ['an error without a stack', Object.assign(new Error('x'), { stack: undefined })],
])('stackFrames returns an empty list for %s', (_, thrown) => {
  expect(stackFrames(thrown)).toEqual([]);
});
