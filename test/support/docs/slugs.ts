import { slug } from '../../../docs/site/slug.ts';

/** Returns the link anchors of a page's headings. */
export function slugsOf(text: string): string[] {
  const taken = new Map<string, number>();
  return [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} +(.+?) *$/gm)].map(
    ([, heading]) => {
      const plain = slug(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      const times = taken.get(plain) ?? 0;
      taken.set(plain, times + 1);
      return times === 0 ? plain : `${plain}-${times}`;
    },
  );
}
