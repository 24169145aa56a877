/** An id in words: `service-request` is `Service request`. */
export function titleOf(id: string): string {
  const words = id.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
