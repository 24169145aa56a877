import { describe, expect, it } from 'vitest';
import type { CustomerLinks } from '../../../src/api/stores/customer-links.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import { type CustomerLink, customerLinkId } from '../../../src/core/status/customer-link.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

/** Two stores of the same links, as if in two processes, and their common clock. */
export interface LinksUnderTest {
  readonly links: CustomerLinks;
  readonly other: CustomerLinks;
  readonly clock: ManualClock;
}

let instances = 0;
const newInstance = () => ({ model: 'm', transaction: `T#${++instances}` });

/** Defines the tests of `DynamoDbCustomerLinks`, which run on an in-memory DynamoDB and on the embedded DynamoDB. */
export function customerLinkCases(underTest: () => LinksUnderTest): void {
  let made = 0;
  const link = (seconds = 3600): CustomerLink => {
    const now = underTest().clock.now() + ++made;
    const expiresAt = 1000 * (Math.floor(underTest().clock.now() / 1000) + seconds);
    const id = customerLinkId(now, made.toString(16).padStart(16, '0'));
    return { id, createdAt: toIso(now), expiresAt: toIso(expiresAt) };
  };
  const add = async (instance: InstanceKey, ...links: CustomerLink[]) => {
    for (const each of links) await underTest().links.add(instance, each);
    return links;
  };
  const idsOf = async (instance: InstanceKey) =>
    (await underTest().other.list(instance, { limit: 100 })).items.map(({ id }) => id);

  it('the store keeps links separately for each instance', async () => {
    const { other } = underTest();
    const [a, b] = [newInstance(), newInstance()];
    const [first] = await add(a, link());
    expect(await other.has(a, first!.id)).toBe(true);
    expect(await other.has(b, first!.id)).toBe(false);
    expect(await other.has({ ...a, model: 'n' }, first!.id)).toBe(false);
    expect(await other.has(a, link().id)).toBe(false);
  });

  describe("the list of an instance's links", () => {
    it('contains the links unchanged, newest first', async () => {
      const instance = newInstance();
      const [first, second] = await add(instance, link(60), link(30));
      await add(newInstance(), link());
      const { items, cursor } = await underTest().other.list(instance, { limit: 2 });
      expect(items).toEqual([second, first]);
      expect(cursor).toBeUndefined();
      expect(await underTest().other.list(newInstance(), { limit: 2 })).toEqual({ items: [] });
    });

    it('is returned in pages', async () => {
      const instance = newInstance();
      const links = await add(instance, ...Array.from({ length: 5 }, () => link()));
      const found: CustomerLink[] = [];
      let cursor: string | undefined;
      do {
        const page = await underTest().other.list(instance, {
          limit: 2,
          ...(cursor && { cursor }),
        });
        expect(page.items.length).toBeGreaterThan(0);
        found.push(...page.items);
        ({ cursor } = page);
      } while (cursor);
      expect(found).toEqual(links.toReversed());
    });

    it('omits expired links', async () => {
      const { clock, other } = underTest();
      const instance = newInstance();
      const ends = (seconds: number) => link(seconds);
      const [long] = await add(instance, ends(60), ends(10), ends(10), ends(10));
      await clock.advance(10_000);
      expect(await other.list(instance, { limit: 1 })).toEqual({ items: [long] });
    });
  });

  describe('revoking links', () => {
    it('deletes one link and reports a missing link', async () => {
      const { links, other } = underTest();
      const instance = newInstance();
      const [kept, revoked] = await add(instance, link(), link());
      expect(await links.revoke(newInstance(), revoked!.id)).toBe('missing');
      expect(await links.revoke(instance, revoked!.id)).toBe('revoked');
      expect(await links.revoke(instance, revoked!.id)).toBe('missing');
      expect(await other.has(instance, revoked!.id)).toBe(false);
      expect(await other.has(instance, kept!.id)).toBe(true);
      expect(await idsOf(instance)).toEqual([kept!.id]);
    });

    it('deletes all links of an instance but no links of other instances', async () => {
      const { links, other, clock } = underTest();
      const [a, b] = [newInstance(), newInstance()];
      const many = await add(a, link(1), ...Array.from({ length: 40 }, () => link()));
      const [kept] = await add(b, link());
      await clock.advance(1_000);
      expect(await links.revokeAll(a)).toBe(40);
      expect(await links.revokeAll(a)).toBe(0);
      for (const { id } of many) expect(await other.has(a, id)).toBe(false);
      expect(await idsOf(b)).toEqual([kept!.id]);
    });

    it('does not prevent new links', async () => {
      const instance = newInstance();
      await add(instance, link());
      await underTest().links.revokeAll(instance);
      const [again] = await add(instance, link());
      expect(await idsOf(instance)).toEqual([again!.id]);
    });
  });
}
