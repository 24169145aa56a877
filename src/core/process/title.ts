/** Converts an id to a title: `service-request` becomes `Service request`. */
export function titleOf(id: string): string {
  const words = id.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
