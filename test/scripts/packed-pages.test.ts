import { expect, it } from 'vitest';
import { withoutDeadLinks } from '../../scripts/package/packed-pages.ts';

const packed = [
  'README.md',
  'docs/how-to/deploy.md',
  'docs/how-to/send-events.md',
  'examples/a/x.ts',
];

it.each([
  ['[Send events](send-events.md#batches)', '[Send events](send-events.md#batches)'],
  ['[examples](../../examples/a)', '[examples](../../examples/a)'],
  [
    '[below](#below), [AWS](https://aws.amazon.com)',
    '[below](#below), [AWS](https://aws.amazon.com)',
  ],
  ['[`fold`](../../src/core/fold.ts)', '`fold`'],
  ['[two\nlines](../decisions/0001.md#why) and [more](../../SECURITY.md)', 'two\nlines and more'],
  ['![the list](../screenshots/list.png)', 'the list'],
  ['[a [b] c](../../src/x.ts)', 'a [b] c'],
])('withoutDeadLinks changes %j to %j', (text, expected) => {
  expect(withoutDeadLinks(text, 'docs/how-to/deploy.md', packed)).toBe(expected);
});
