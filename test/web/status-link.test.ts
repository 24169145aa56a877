import { describe, expect, it } from 'vitest';
import { isExpired } from '../../web/milepost-status/link.ts';

const now = Date.parse('2026-11-24T15:30:00Z');

/** Returns a link with a token that contains the given claims. */
function link(claims: object): URL {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return new URL(`https://status.example.org/track/header.${payload}.signature`);
}

describe('a link', () => {
  it.each([
    ['in the past', now / 1000 - 1, true],
    ['now', now / 1000, true],
    ['in the future', now / 1000 + 1, false],
    ['not a number', '1', false],
    ['missing', undefined, false],
  ])('whose expiry time is %s: expired is %j', (_, exp, expired) => {
    expect(isExpired(link({ exp }), now)).toBe(expired);
  });

  it('may contain the characters that Base64 for URLs replaces', () => {
    const expired = link({ ids: '>>>???~~~ÿÿÿ', exp: 1 });
    expect(expired.pathname).toMatch(/-.*_|_.*-/);
    expect(isExpired(expired, now)).toBe(true);
  });

  it.each(['https://status.example.org/track/nothing', 'https://status.example.org/track/a.!.b'])(
    'that is damaged is not expired: %s',
    (damaged) => {
      expect(isExpired(new URL(damaged), now)).toBe(false);
    },
  );
});
