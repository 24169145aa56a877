import { Hono } from 'hono';
import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import { type JsonPath, pathIn, pointerOf } from '../../core/json/json-pointer.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { type Explanation, explain } from '../../core/replay/explain.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest, unknownCursorProblem } from '../http/paging.ts';
import { instancePath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { explanation } from './explanation-schema.ts';
import { explanationView, type SetBy } from './history-views.ts';
import { type Moment, momentOfQuery, momentQuery, readAtMoment } from './read-at-moment.ts';
import { checkInstanceKey } from './read-instance.ts';

/** The maximum number of commits to read for one response. */
const maximumCommits = 1_000;
/** The approximate maximum number of characters of states to read for one response. */
const maximumCharacters = 4 * 1024 * 1024;
/**
 * The maximum number of fields to explain. A response with more fields would be too large, so the request is rejected
 * before the history is read.
 */
const maximumFields = 20_000;
/** The maximum response size in bytes; Lambda limits responses to 6 MB. */
const maximumBytes = 4 * 1024 * 1024;
/** The maximum length of a JSON Pointer, in characters. */
const maximumPointerLength = 256;

/** Explains which event set each field of an instance's state. */
export function explainRoutes({
  instances,
  clock,
}: Pick<RouteDependencies, 'instances' | 'clock'>): Hono {
  return new Hono().get(
    '/:model/:transaction{[^]+}/explain',
    describeOperation(operations.explain),
    async (context) => {
      const key = checkInstanceKey(context.req.param());
      const { moment, part } = explainRequestOf(context.req.query(), key, clock.now());
      const past = await readAtMoment(instances, key, moment);
      const explained = explain<SetBy>(parseJson(past.commit.state), part);
      if (explained.size > maximumFields) throw tooLargeProblem();
      const next = await explainFromHistory(
        explained,
        instances.commitsBefore(key, past.commit.version + 1),
      );
      const place = next === undefined ? undefined : `${next} ${pointerOf(explained.partBefore())}`;
      const text = JSON.stringify({
        ...explanationView(past, explained.fields()),
        ...cursorMember('explain', place, { ...key }),
      });
      if (Buffer.byteLength(text) > maximumBytes) throw tooLargeProblem();
      return context.body(text, 200, { 'content-type': 'application/json' });
    },
  );
}

const tooLargeProblem = () =>
  new Problem(
    400,
    'the state is too large to explain in one response; set `field` to select part of the state',
  );

interface ExplainRequest {
  readonly moment: Moment | undefined;
  /** The path of the part of the state to explain. */
  readonly part: JsonPath;
}

/**
 * Parses a request. A cursor replaces the other parameters: it contains a version and the path to the requested part of
 * the state in that version.
 */
function explainRequestOf(
  query: Readonly<Record<string, string>>,
  key: InstanceKey,
  now: number,
): ExplainRequest {
  const { cursor } = pageRequest('explain', {
    ...key,
    ...(query.cursor !== undefined && { cursor: query.cursor }),
  });
  if (cursor === undefined)
    return { moment: momentOfQuery(query, now), part: pathIn(query.field ?? '')! };
  const [, version, pointer = ''] = /^([1-9]\d{0,9}) ([^]*)$/.exec(cursor) ?? [];
  const part = pathIn(pointer);
  if (version && part) return { moment: { version: Number(version) }, part };
  throw unknownCursorProblem();
}

/**
 * Explains fields up to the limits of one response.
 *
 * @param commits the explained commit and the commits before it, newest first.
 * @returns the version to continue with; undefined if every field is explained.
 */
async function explainFromHistory(
  explained: Explanation<SetBy>,
  commits: AsyncIterable<Commit>,
): Promise<number | undefined> {
  let by: SetBy | undefined;
  let after = '';
  let commitsRead = 0;
  let characters = 0;
  for await (const { entries, version, at, modelVersion } of commits) {
    const enough = commitsRead >= maximumCommits || characters >= maximumCharacters;
    for (const { event, state } of entries.toReversed()) {
      if (by && state !== after) explained.stepBack(parseJson(state), by);
      if (explained.isComplete) return undefined;
      if (enough) return version;
      by = { version, at, modelVersion, event };
      after = state;
      characters += state.length;
    }
    commitsRead++;
  }
  if (by) explained.stepBack(undefined, by);
  return undefined;
}

const fieldMessage = ({ received }: v.BaseIssue<unknown>) =>
  `\`field\` must be a JSON Pointer (RFC 6901) of at most ${maximumPointerLength} characters, such as /app/mail; got ${received}`;
const field = v.optional(
  v.pipe(
    v.string(fieldMessage),
    v.check(
      (text) => hasAtMostCharacters(text, maximumPointerLength) && pathIn(text) !== undefined,
      fieldMessage,
    ),
    v.metadata({
      pattern: '^(/([^~/]|~[01])*)*$',
      maxLength: maximumPointerLength,
      description:
        'a JSON Pointer (RFC 6901) to the part of the state to explain; the part may have been removed from the state',
    }),
  ),
);

const operations = {
  explain: {
    id: 'explainInstance',
    summary: "Explain an instance's state",
    description: "Returns, for each field of the instance's state, the event that last set it.",
    tag: 'instances',
    path: instancePath,
    revalidated: true,
    answers: { 200: explanation },
    problems: [404],
    query: {
      ...momentQuery,
      field,
      // A cursor also contains the values of the other parameters.
      cursor: pageQuery.cursor,
    },
  },
} satisfies Record<string, Operation>;
