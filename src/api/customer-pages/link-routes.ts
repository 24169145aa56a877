import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as v from 'valibot';
import { exactObject } from '../../common/exact-object.ts';
import { messageOf } from '../../common/message-of.ts';
import { issueText } from '../../common/schema-issues.ts';
import { isInstanceKey } from '../../core/event/event.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { customerLinkId } from '../../core/status/customer-link.ts';
import { linkLifetimePattern, requiredLinkLifetime } from '../../core/status/link-lifetime.ts';
import { durationMilliseconds } from '../../core/time/duration.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { requestSchema } from '../http/json-schema.ts';
import { Problem } from '../http/problem.ts';
import { publicUrl } from '../http/public-url.ts';
import { readInstance, UnknownInstance } from '../instances/read-instance.ts';
import { link } from './link-schemas.ts';
import { signLinkToken } from './link-token.ts';

const defaultLifetime = 'P30D';

const wrongLifetime = ({ received }: v.BaseIssue<unknown>) =>
  `must be ${requiredLinkLifetime}, such as P7D, PT36H, or P1DT12H; got ${received}`;

const lifetime = v.pipe(
  v.string(wrongLifetime),
  v.regex(linkLifetimePattern, wrongLifetime),
  v.examples(['P7D', 'PT36H', 'P1DT12H']),
);

const request = v.pipe(
  exactObject({
    model: v.string(),
    transaction: v.string(),
    expiresIn: v.optional(lifetime, defaultLifetime),
  }),
  v.title('LinkRequest'),
);

/** Creates links that open an instance's status page for its customer. */
export function linkRoutes({
  instances,
  links,
  linkKey,
  clock,
}: Pick<ApiDependencies, 'instances' | 'links' | 'linkKey' | 'clock'>): Hono {
  return new Hono().post('/', describeOperation(operation), async (context) => {
    if (!links || !linkKey)
      throw new Problem(
        404,
        'customer status pages are turned off; to turn them on, set `customerPages` in the CDK app',
      );
    const { expiresIn, ...key } = readRequest(await context.req.text());
    const now = clock.now();
    // The `exp` claim of a token is in whole seconds.
    const expiresAt = 1000 * Math.floor((now + durationMilliseconds(expiresIn)) / 1000);
    if (!isInstanceKey(key)) throw new UnknownInstance(key);
    await readInstance(instances, key);
    const id = customerLinkId(now, randomBytes(8).toString('hex'));
    const token = await signLinkToken({ instance: key, id }, expiresAt, await linkKey());
    await links.add(key, { id, createdAt: toIso(now), expiresAt: toIso(expiresAt) });
    const url = publicUrl(context, `/track/${token}`).href;
    return context.json({ id, url, token, expiresAt: toIso(expiresAt) }, 201);
  });
}

function readRequest(body: string): v.InferOutput<typeof request> {
  try {
    return v.parse(request, parseJson(body));
  } catch (error) {
    const reason = v.isValiError(error) ? issueText(error.issues[0]) : messageOf(error);
    throw new Problem(
      400,
      `the body must be a JSON object with \`model\`, \`transaction\`, and optionally \`expiresIn\`: ${reason}`,
    );
  }
}

const operation: Operation = {
  id: 'createLink',
  summary: "Create a link to an instance's status page",
  description: 'Returns a link that anyone can open until it expires or is revoked.',
  tag: 'links',
  answers: { 201: link },
  problems: [404],
  body: {
    text: 'the instance, and how long the link is valid, as an ISO 8601 duration (default: 30 days)',
    schemas: () => ({ 'application/json': requestSchema(request) }),
    example: { model: 'activation', transaction: 'ATV-123', expiresIn: 'P7D' },
  },
};
