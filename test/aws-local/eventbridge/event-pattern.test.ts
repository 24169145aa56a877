import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../src/aws-local/eventbridge/event-pattern.ts';

const event = {
  source: 'com.example.shop',
  'detail-type': 'order.paid',
  resources: ['arn:aws:s3:::one', 'arn:aws:s3:::two'],
  detail: {
    total: 42.5,
    country: 'DE',
    express: true,
    note: null,
    from: '10.0.0.17',
    file: 'dir/image.PNG',
    none: [],
    lines: [
      { sku: 'A-1', quantity: 2 },
      { sku: 'B-2', quantity: 1 },
    ],
    customer: { tier: 'gold' },
  },
};

const detail = (pattern: object) => ({ detail: pattern });

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
describe('an event', () => {
  it.each([
    ['with several values, one of which is equal', { source: ['other', 'com.example.shop'] }],
    ['on all fields', { source: ['com.example.shop'], 'detail-type': ['order.paid'] }],
    ['on an element of a list', { resources: ['arn:aws:s3:::two'] }],
    ['with a number', detail({ total: [42.5] })],
    ['with true', detail({ express: [true] })],
    ['with null', detail({ note: [null] })],
    ['on nested fields', detail({ customer: { tier: ['gold'] } })],
    ['on an object in a list', detail({ lines: { sku: ['B-2'] } })],
    ['on two fields of one object in a list', detail({ lines: { sku: ['A-1'], quantity: [2] } })],
    ['with a prefix', { source: [{ prefix: 'com.example.' }] }],
    ['with a case-insensitive prefix', { source: [{ prefix: { 'equals-ignore-case': 'COM.' } }] }],
    ['with a suffix', detail({ file: [{ suffix: '.PNG' }] })],
    [
      'with a case-insensitive suffix',
      detail({ file: [{ suffix: { 'equals-ignore-case': '.png' } }] }),
    ],
    ['case-insensitively', detail({ country: [{ 'equals-ignore-case': 'de' }] })],
    ['with a wildcard', detail({ file: [{ wildcard: 'dir/*.PNG' }] })],
    ['with a wildcard at both ends', detail({ file: [{ wildcard: '*image*' }] })],
    ['with `anything-but` and a string', detail({ country: [{ 'anything-but': 'FR' }] })],
    ['with `anything-but` and a list', detail({ total: [{ 'anything-but': [1, 2] }] })],
    [
      'with `anything-but` and a prefix',
      detail({ country: [{ 'anything-but': { prefix: 'F' } }] }),
    ],
    [
      'with `anything-but` and several suffixes',
      detail({ file: [{ 'anything-but': { suffix: ['.gif', '.jpg'] } }] }),
    ],
    ['with a number in a range', detail({ total: [{ numeric: ['>', 0, '<=', 42.5] }] })],
    ['with an equal number', detail({ total: [{ numeric: ['=', 42.5] }] })],
    ['that requires a field to exist', detail({ country: [{ exists: true }] })],
    ['that requires a field to be missing', detail({ coupon: [{ exists: false }] })],
    ['with a network', detail({ from: [{ cidr: '10.0.0.0/24' }] })],
    [
      'on one of two fields',
      detail({ $or: [{ country: ['FR'] }, { total: [{ numeric: ['>', 40] }] }] }),
    ],
  ])('matches an event pattern %s', (_, pattern) => {
    expect(compilePattern(pattern)(event)).toBe(true);
  });
});

describe('an event', () => {
  it.each([
    ['with another value', { source: ['com.example'] }],
    ['if one field differs', { source: ['com.example.shop'], 'detail-type': ['x'] }],
    ['with a missing field', { detail: { coupon: ['x'] } }],
    ['with a number as a string', detail({ total: ['42.5'] })],
    ['with a field inside a string', { source: { name: ['x'] } }],
    ['that no single object in a list matches', detail({ lines: { sku: ['A-1'], quantity: [1] } })],
    ['with another prefix', { source: [{ prefix: 'org.' }] }],
    ['with a prefix of a number', detail({ total: [{ prefix: '4' }] })],
    ['with a wildcard for another string', detail({ file: [{ wildcard: 'dir/*.gif' }] })],
    [
      'with a wildcard whose prefix and suffix would overlap',
      detail({ country: [{ wildcard: 'DE*E' }] }),
    ],
    [
      "with `anything-but` and the event's value",
      detail({ country: [{ 'anything-but': ['DE'] }] }),
    ],
    ['with `anything-but` for a missing field', detail({ coupon: [{ 'anything-but': 'x' }] })],
    ['with a number out of range', detail({ total: [{ numeric: ['>', 42.5] }] })],
    ['with a range for a string', detail({ country: [{ numeric: ['>', 0] }] })],
    ['that requires an existing field to be missing', detail({ country: [{ exists: false }] })],
    ['that requires a missing field to exist', detail({ coupon: [{ exists: true }] })],
    ['with another network', detail({ from: [{ cidr: '10.0.1.0/24' }] })],
    ['with a network for a string', detail({ country: [{ cidr: '10.0.0.0/8' }] })],
    [
      'on one of two fields if neither matches',
      { $or: [{ source: ['x'] }, { 'detail-type': ['x'] }] },
    ],
    ['on a property of the prototype', detail({ constructor: [{ exists: true }] })],
  ])('does not match an event pattern %s', (_, pattern) => {
    expect(compilePattern(pattern)(event)).toBe(false);
  });
});

describe('an event pattern', () => {
  it.each([
    ['if it is empty', {}, 'the pattern must be an object with at least one field; got {}'],
    [
      'if it has a value outside a list',
      { source: 'x' },
      'the pattern.source must be a list of conditions, or an object with fields; got "x"',
    ],
    ['if it has an empty list', { source: [] }, 'must be a list of at least one condition; got []'],
    [
      'if it has an unknown operator',
      { source: [{ like: 'x' }] },
      'the operator "like" is not supported',
    ],
    [
      'if it has two operators',
      { source: [{ prefix: 'x', suffix: 'y' }] },
      'must have exactly one operator; got {"prefix":"x","suffix":"y"}',
    ],
    [
      'if it has a prefix that is not a string',
      { source: [{ prefix: 4 }] },
      'prefix must be a string; got 4',
    ],
    [
      'if it has a value for exists that is not a boolean',
      { source: [{ exists: 'yes' }] },
      'exists must be true or false; got "yes"',
    ],
    [
      'if it has a comparison without a number',
      { detail: { n: [{ numeric: ['>'] }] } },
      'numeric must be a list of comparisons, such as [">", 0, "<=", 5]; got [">"]',
    ],
    [
      'if it has a numeric operator without comparisons',
      { detail: { n: [{ numeric: [] }] } },
      'numeric must be a list of comparisons, such as [">", 0, "<=", 5]; got []',
    ],
    [
      'if it has an invalid network',
      { detail: { n: [{ cidr: '10.0.0.0' }] } },
      'cidr must be a network such as 10.0.0.0/24; got "10.0.0.0"',
    ],
    [
      'if it has a network prefix that is too long',
      { detail: { n: [{ cidr: '10.0.0.0/33' }] } },
      'cidr must be a network such as 10.0.0.0/24; got "10.0.0.0/33"',
    ],
    [
      'if it has only one alternative',
      { $or: [{ source: ['x'] }] },
      'must be a list of at least two patterns; got [{"source":["x"]}]',
    ],
  ])('is rejected %s', (_, pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
