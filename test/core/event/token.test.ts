import { describe, expect, it } from 'vitest';
import { tokenOf } from '../../../src/core/event/token.ts';

describe('tokenOf', () => {
  it('depends only on the source, the id, and the purpose', () => {
    const token = tokenOf({ source: 'shop', id: 'e1' });
    expect(tokenOf({ source: 'shop', id: 'e1', type: 'x' } as never)).toBe(token);
    const others = [
      tokenOf({ source: 'shop', id: 'e2' }),
      tokenOf({ source: 'store', id: 'e1' }),
      tokenOf({ source: 'shop', id: 'e1' }, 'order'),
      tokenOf({ source: 'shope', id: '1' }),
    ];
    expect(new Set([token, ...others]).size).toBe(5);
  });

  it('returns the same token in every release, because histories must always fold to the same state', () => {
    expect(tokenOf({ source: 'tv', id: 'e1' })).toBe('KG4938');
  });

  it('returns six uniformly distributed characters from A to Z and 0 to 9', () => {
    const draws = 20_000;
    const counts = Array.from({ length: 6 }, () => new Map<string, number>());
    const tokens = new Set<string>();
    for (let i = 0; i < draws; i++) {
      const token = tokenOf({ source: 'test', id: `e${i}` });
      expect(token).toMatch(/^[A-Z0-9]{6}$/);
      tokens.add(token);
      for (const [place, character] of token.split('').entries())
        counts[place]!.set(character, (counts[place]!.get(character) ?? 0) + 1);
    }
    for (const places of counts) {
      expect(places.size).toBe(36);
      const expected = draws / 36;
      const chiSquare = [...places.values()]
        .map((count) => (count - expected) ** 2 / expected)
        .reduce((sum, part) => sum + part, 0);
      // With 35 degrees of freedom, a uniform distribution stays below this 9,999 times in 10,000.
      expect(chiSquare).toBeLessThan(75);
    }
    // With 2.2 billion possible tokens, 20,000 draws have 0.09 collisions on average.
    expect(tokens.size).toBeGreaterThan(draws - 3);
  });
});
