/** What an event of an HTTP API says of a token that it let in. */
interface TokenEvent {
  readonly requestContext?: {
    readonly authorizer?: {
      readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
    };
  };
}

/**
 * The claims of the JSON Web Token that an HTTP API checked; none where it asked for no token.
 *
 * @param env what Hono hands on of the invocation.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function claimsIn(env: unknown): Readonly<Record<string, unknown>> {
  const { event } = env as { event?: TokenEvent };
  return event?.requestContext?.authorizer?.jwt?.claims ?? {};
}
