import { expect, it } from 'vitest';
import { messageOf } from '../../src/common/message-of.ts';

const circular: { self?: unknown } = {};
circular.self = circular;

it.each([
  ['an error', new Error('no seats'), 'no seats'],
  ['an error without a message', new RangeError(), 'RangeError'],
  ['a string', 'no seats', 'no seats'],
  ['undefined', undefined, 'undefined'],
  ['an object', { code: 7 }, '{"code":7}'],
  ['an object that JSON cannot represent', circular, 'an object that cannot be shown'],
  ['an object without a prototype', Object.create(null), 'an object that cannot be shown'],
  ['text that is not well-formed', '\ud800', '\ufffd'],
])('messageOf describes a thrown value: %s', (_, thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});
