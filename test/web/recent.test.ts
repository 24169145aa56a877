import { describe, expect, it } from 'vitest';
import {
  forgetRecent,
  type RecentStorage,
  recentResults,
  remember,
} from '../../web/pure/recent.ts';

function storage(): RecentStorage {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}
const result = (n: number) => ({ kind: 'Instance', text: `T${n}`, href: `/instances/m/T${n}` });
const texts = (from: RecentStorage) => recentResults(from).map(({ text }) => text);

describe('recent results', () => {
  it('are the eight results that the user opened last, latest first, without duplicates', () => {
    const kept = storage();
    for (let n = 1; n <= 10; n++) remember(kept, result(n));
    remember(kept, result(5));
    expect(texts(kept)).toEqual(['T5', 'T10', 'T9', 'T8', 'T7', 'T6', 'T4', 'T3']);
  });

  it('are empty after the user clears them', () => {
    const kept = storage();
    remember(kept, result(1));
    forgetRecent(kept);
    expect(texts(kept)).toEqual([]);
  });

  it.each([
    ['text that is not JSON', '{'],
    ['a value that is not an array', '{"a":1}'],
    ['values that are not results', '[null,1,{"kind":"Instance"}]'],
    ['addresses of other sites', '[{"kind":"a","text":"b","href":"//evil.example"}]'],
    ['scripts', '[{"kind":"a","text":"b","href":"javascript:alert(1)"}]'],
  ])('are empty if the storage contains %s', (_, stored) => {
    const kept = storage();
    kept.setItem('milepost.recent', stored);
    expect(recentResults(kept)).toEqual([]);
  });

  it('are empty if the browser does not allow storage', () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const none = { getItem: denied, setItem: denied, removeItem: denied };
    remember(none, result(1));
    forgetRecent(none);
    expect(recentResults(none)).toEqual([]);
  });
});
