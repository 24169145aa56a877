import { Hono } from 'hono';
import * as v from 'valibot';
import { weekOf } from '../../core/status/deadline-results.ts';
import { isDate } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { modelPath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { attainmentOf } from './attainment.ts';
import { attainmentByWeek } from './attainment-schema.ts';
import { readModel } from './read-model.ts';

const day = 86_400_000;
/** The number of weeks before the last week in the response to a request without `from`. */
const usualWeeks = 7;
/** The maximum number of weeks in a response. */
const maximumWeeks = 53;
/** The first and last day of the weeks that lie entirely in the years 0000 to 9999. */
const [firstDay, lastDay] = ['0000-01-03', '9999-12-26'];

/** Serves the numbers of met, breached, and open deadlines of each of a model's milestones, by week. */
export function attainmentRoutes({
  models,
  counts,
  clock,
}: Pick<ApiDependencies, 'models' | 'counts' | 'clock'>): Hono {
  return new Hono().get('/:model/sla', describeOperation(operation), async (context) => {
    const model = context.req.param('model');
    const now = clock.now();
    const weeks = weeksBetween(context.req.query(), now);
    const entry = await readModel(models, model);
    const counted = (await counts.deadlines([model], weeks)).get(model) ?? new Map();
    const declared = entry.milestones.map(({ id }) => id);
    const order = (id: string) => (declared.includes(id) ? declared.indexOf(id) : declared.length);
    const labels = new Map(entry.milestones.map(({ id, label }) => [id, label]));
    return context.json({
      model,
      weeks: weeks
        .map((from) => ({
          from,
          to: dateAfter(from, 6),
          milestones: attainmentOf(counted, from, now)
            .toSorted((a, b) => order(a.id) - order(b.id))
            .map(({ id, ...results }) => ({ id, label: labels.get(id) ?? id, ...results })),
        }))
        .filter(({ milestones }) => milestones.length > 0),
    });
  });
}

/** Returns the Mondays of the weeks in the period that a query selects. */
function weeksBetween(query: Readonly<Record<string, string>>, now: number): string[] {
  const last = query.to === undefined ? now : dayOf('to', query.to);
  const from =
    query.from === undefined
      ? Math.max(last - usualWeeks * 7 * day, Date.parse(firstDay))
      : dayOf('from', query.from);
  if (from > last && query.from !== undefined)
    throw new Problem(400, `\`from\` must not be after \`to\`; got ${JSON.stringify(query.from)}`);
  const first = weekOf(from);
  const count = 1 + Math.round((Date.parse(weekOf(last)) - Date.parse(first)) / (7 * day));
  if (count > maximumWeeks)
    throw new Problem(
      400,
      `\`from\` and \`to\` must span at most ${maximumWeeks} weeks; got ${count}; send several requests`,
    );
  return Array.from({ length: count }, (_, index) => dateAfter(first, 7 * index));
}

const dateAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 'YYYY-MM-DD'.length);

function dayOf(name: string, text: string): number {
  if (!isDate(text)) throw new Problem(400, notADate(name, JSON.stringify(text)));
  if (text >= firstDay && text <= lastDay) return Date.parse(text);
  throw new Problem(
    400,
    `\`${name}\` must be a date from ${firstDay} to ${lastDay}; got ${JSON.stringify(text)}`,
  );
}

const notADate = (name: string, json: string) =>
  `\`${name}\` must be a date, such as 2026-11-23; got ${json}`;

const date = (name: string) =>
  v.pipe(
    v.string(),
    v.isoDate(({ received }) => notADate(name, received)),
  );

const operation: Operation = {
  id: 'getSlaAttainment',
  summary: "Get a model's SLA attainment",
  description:
    'Counts the met, breached, and open deadlines for each week and milestone. A deadline belongs to the week that contains it, from Monday to Sunday in UTC. The counts depend only on the applied events, so an event that arrives late can turn a breached deadline into a met one. The counts lag by a few seconds.',
  tag: 'models',
  path: modelPath,
  query: {
    from: v.pipe(
      v.optional(date('from')),
      v.description('a date in UTC in the first week; default: seven weeks before `to`'),
    ),
    to: v.pipe(
      v.optional(date('to')),
      v.description(
        'a date in UTC in the last week, at most 52 weeks after the first; default: today',
      ),
    ),
  },
  revalidated: true,
  answers: { 200: attainmentByWeek },
  problems: [404],
};
