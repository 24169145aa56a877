import { expect, it } from 'vitest';
import { toHtml } from '../../src/customer-page/to-html.ts';
import { el } from '../../src/customer-page/view-node.ts';

it('toHtml escapes text and attribute values', () => {
  const view = el('p', { title: '"&<' }, '<img src=x onerror=alert(1)>', el('b', {}, '&amp;'));
  expect(toHtml(view)).toBe(
    '<p title="&quot;&amp;&lt;">&lt;img src=x onerror=alert(1)&gt;<b>&amp;amp;</b></p>',
  );
});

it('toHtml omits attributes and children that are undefined', () => {
  expect(toHtml(el('p', { class: undefined }, undefined, 'a'))).toBe('<p>a</p>');
});
