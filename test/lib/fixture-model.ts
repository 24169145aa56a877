/** Stands for the Lambda of a model, as a user would have it in a project. */
export async function handler(event: { readonly op: string }): Promise<string> {
  return `asked to ${event.op}`;
}
