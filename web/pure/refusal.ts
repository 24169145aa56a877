/** Returns the message for an error response. Errors that API Gateway itself returns have no `detail`. */
export function refusalText(text: string, status: number): string {
  return detailIn(text) ?? byStatus[status] ?? `The service responded with status ${status}.`;
}

const busy = 'The service is busy. Try again in a few seconds.';
const byStatus: Readonly<Record<number, string>> = {
  401: 'Log in, and then reload this page.',
  403: 'You do not have permission to do this.',
  429: busy,
  503: busy,
};

function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { detail?: string };
    return detail;
  } catch {
    return undefined;
  }
}
