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
describe('an event matches a pattern', () => {
  it.each([
    ['of equal values, of which one is enough', { source: ['other', 'com.example.shop'] }],
    ['on every field', { source: ['com.example.shop'], 'detail-type': ['order.paid'] }],
    ['on an element of a list', { resources: ['arn:aws:s3:::two'] }],
    ['of a number', detail({ total: [42.5] })],
    ['of true', detail({ express: [true] })],
    ['of null', detail({ note: [null] })],
    ['on fields within fields', detail({ customer: { tier: ['gold'] } })],
    ['on an object in a list', detail({ lines: { sku: ['B-2'] } })],
    ['of one object in a list', detail({ lines: { sku: ['A-1'], quantity: [2] } })],
    ['of a prefix', { source: [{ prefix: 'com.example.' }] }],
    ['of a prefix in any case', { source: [{ prefix: { 'equals-ignore-case': 'COM.' } }] }],
    ['of a suffix', detail({ file: [{ suffix: '.PNG' }] })],
    ['of a suffix in any case', detail({ file: [{ suffix: { 'equals-ignore-case': '.png' } }] })],
    ['in any case', detail({ country: [{ 'equals-ignore-case': 'de' }] })],
    ['of a wildcard', detail({ file: [{ wildcard: 'dir/*.PNG' }] })],
    ['of a wildcard at both ends', detail({ file: [{ wildcard: '*image*' }] })],
    ['of anything but a text', detail({ country: [{ 'anything-but': 'FR' }] })],
    ['of anything but a list', detail({ total: [{ 'anything-but': [1, 2] }] })],
    ['of anything but a prefix', detail({ country: [{ 'anything-but': { prefix: 'F' } }] })],
    [
      'of anything but several suffixes',
      detail({ file: [{ 'anything-but': { suffix: ['.gif', '.jpg'] } }] }),
    ],
    ['of a number in a range', detail({ total: [{ numeric: ['>', 0, '<=', 42.5] }] })],
    ['of an equal number', detail({ total: [{ numeric: ['=', 42.5] }] })],
    ['where a field is', detail({ country: [{ exists: true }] })],
    ['where a field is not', detail({ coupon: [{ exists: false }] })],
    ['of a network', detail({ from: [{ cidr: '10.0.0.0/24' }] })],
    [
      'on one of two fields',
      detail({ $or: [{ country: ['FR'] }, { total: [{ numeric: ['>', 40] }] }] }),
    ],
  ])('%s', (_, pattern) => {
    expect(compilePattern(pattern)(event)).toBe(true);
  });
});

describe('an event does not match a pattern', () => {
  it.each([
    ['with another value', { source: ['com.example'] }],
    ['that one field differs from', { source: ['com.example.shop'], 'detail-type': ['x'] }],
    ['with a field that it has not', { detail: { coupon: ['x'] } }],
    ['with a number as text', detail({ total: ['42.5'] })],
    ['with a field within a text', { source: { name: ['x'] } }],
    ['that no one object in a list meets', detail({ lines: { sku: ['A-1'], quantity: [1] } })],
    ['with another prefix', { source: [{ prefix: 'org.' }] }],
    ['with a prefix of a number', detail({ total: [{ prefix: '4' }] })],
    ['with a wildcard for another text', detail({ file: [{ wildcard: 'dir/*.gif' }] })],
    ['with a wildcard whose ends overlap', detail({ country: [{ wildcard: 'DE*E' }] })],
    ['with anything but its value', detail({ country: [{ 'anything-but': ['DE'] }] })],
    [
      'with anything but, of a field that it has not',
      detail({ coupon: [{ 'anything-but': 'x' }] }),
    ],
    ['with a number out of range', detail({ total: [{ numeric: ['>', 42.5] }] })],
    ['with a range for a text', detail({ country: [{ numeric: ['>', 0] }] })],
    ['where a field must not be', detail({ country: [{ exists: false }] })],
    ['where a field must be', detail({ coupon: [{ exists: true }] })],
    ['of another network', detail({ from: [{ cidr: '10.0.1.0/24' }] })],
    ['of a network, with a text', detail({ country: [{ cidr: '10.0.0.0/8' }] })],
    ['on neither of two fields', { $or: [{ source: ['x'] }, { 'detail-type': ['x'] }] }],
    ['that asks for a prototype', detail({ constructor: [{ exists: true }] })],
  ])('%s', (_, pattern) => {
    expect(compilePattern(pattern)(event)).toBe(false);
  });
});

describe('a pattern is refused', () => {
  it.each([
    ['that is empty', {}, 'the pattern must be an object with at least one field'],
    ['with a value outside a list', { source: 'x' }, 'the pattern.source must be an object'],
    ['with an empty list', { source: [] }, 'at least one condition'],
    [
      'with an unknown operator',
      { source: [{ like: 'x' }] },
      'the operator "like" is not supported',
    ],
    [
      'with two operators',
      { source: [{ prefix: 'x', suffix: 'y' }] },
      'must have exactly one operator',
    ],
    [
      'with half a comparison',
      { detail: { n: [{ numeric: ['>'] }] } },
      'numeric must be comparisons',
    ],
    [
      'with a network that is none',
      { detail: { n: [{ cidr: '10.0.0.0' }] } },
      'cidr must be a network',
    ],
    ['with one alternative', { $or: [{ source: ['x'] }] }, 'at least two patterns'],
  ])('%s', (_, pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
