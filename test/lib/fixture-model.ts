/** A model's Lambda function as a user's project would contain it. */
export async function handler(event: { readonly op: string }): Promise<string> {
  return `asked to ${event.op}`;
}
