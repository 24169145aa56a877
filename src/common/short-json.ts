/** Formats a value as JSON for a message. Truncates long JSON, because the value can be as large as an event. */
export function shortJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80).toWellFormed()}…` : json;
}
