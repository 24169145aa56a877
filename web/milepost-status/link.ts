/**
 * Returns true if the link has expired. The server does not say why a link is invalid, but the link itself contains its
 * expiry time.
 */
export function isExpired(link: URL, now: number): boolean {
  const token = link.pathname.split('/').at(-1)!;
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown };
    return typeof exp === 'number' && exp * 1000 <= now;
  } catch {
    return false;
  }
}
