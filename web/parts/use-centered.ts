import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Scrolls a part of a region to the region's center, without scrolling the page.
 *
 * @param selector matches the part; if it matches several elements, the first one is centered.
 * @param content a value that changes when the region must scroll again.
 * @returns the ref of the region.
 */
export function useCentered(selector: string, content: unknown): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const part = region.current?.querySelector(selector);
    if (!region.current || !part) return;
    const [outer, inner] = [region.current, part].map((each) => each.getBoundingClientRect());
    region.current.scrollBy(
      inner!.x + inner!.width / 2 - outer!.x - outer!.width / 2,
      inner!.y + inner!.height / 2 - outer!.y - outer!.height / 2,
    );
  }, [selector, content]);
  return region;
}
