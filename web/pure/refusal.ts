/** What a refusal of the API says to people. API Gateway's own have no detail. */
export function refusalText(text: string, status: number): string {
  return detailIn(text) ?? byStatus[status] ?? `The service answered with status ${status}.`;
}

const busy = 'The service takes no more requests at the moment. Try again in a few seconds.';
const byStatus: Readonly<Record<number, string>> = {
  403: 'You may not do this.',
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
