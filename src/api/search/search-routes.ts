import { Hono } from 'hono';
import { maximumSearchResults } from '../../common/search-limit.ts';
import { type DeadLetter, deadLetterIdPattern } from '../../core/event/dead-letter.ts';
import { isKey } from '../../core/model/keys.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { deadLetterSummary } from '../dead-letters/dead-letter-view.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageRequest, scanCursor } from '../http/paging.ts';
import { requiredText } from '../http/query-parameters.ts';
import { summaryView } from '../instances/instance-views.ts';
import { foundEvents, searchResults } from './search-schemas.ts';

/** How many of the newest dead letters are searched by event id and transaction id. */
const newestLetters = 100;
/** How long one request can read histories, in milliseconds. The caller continues with the cursor. */
const findTimeLimit = 3_000;

type SearchDependencies = Pick<RouteDependencies, 'lists' | 'deadLetters' | 'events' | 'clock'>;

/**
 * Finds instances by transaction id prefix or business key; dead letters by id, event id, or transaction id; and events
 * by id.
 */
export function searchRoutes({ lists, deadLetters, events, clock }: SearchDependencies): Hono {
  const summaries = (rows: readonly StatusRow[]) =>
    rows.map((row) => summaryView(row, clock.now()));
  return new Hono()
    .get('/', describeOperation(operations.search), async (context) => {
      const text = context.req.query('q')!.trim();
      const page = { limit: maximumSearchResults };
      const [started, keyed, letters] = await Promise.all([
        text ? lists.list({ prefix: text }, page) : { items: [] },
        isKey(text) ? lists.list({ key: text }, page) : { items: [] },
        findLetters(deadLetters, text),
      ]);
      return context.json({
        instances: summaries(started.items),
        byKey: summaries(keyed.items),
        deadLetters: letters.map(deadLetterSummary),
      });
    })
    .get('/events', describeOperation(operations.events), async (context) => {
      const query = context.req.query();
      const { cursor } = pageRequest('events', query);
      const until = clock.now() + findTimeLimit;
      const found = await events.find(query.id!, { until, ...(cursor && { cursor }) });
      const { itemsRead } = found;
      return context.json({
        events: found.events,
        itemsRead,
        ...cursorMember('events', found.cursor, query),
      });
    });
}

/**
 * Returns the dead letter with this id or, if there is none, any of the newest dead letters that have this event id or
 * transaction id.
 */
async function findLetters(deadLetters: DeadLetterStore, text: string): Promise<DeadLetter[]> {
  if (deadLetterIdPattern.test(text)) {
    const letter = await deadLetters.get(text);
    if (letter) return [letter];
  }
  const { items } = await deadLetters.list({ limit: newestLetters });
  return items
    .filter(({ eventId, transactionId }) => text !== '' && [eventId, transactionId].includes(text))
    .slice(0, maximumSearchResults);
}

const tag = 'instances';
const operations = {
  search: {
    id: 'search',
    summary: 'Search for instances and dead letters',
    description: `Finds instances by a transaction id prefix or a business key. Finds dead letters by id and, among the newest ${newestLetters}, by event id or transaction id. Returns up to ${maximumSearchResults} results of each kind. The search is case-sensitive.`,
    tag,
    query: {
      q: requiredText(
        'q',
        'the text to search for, such as a transaction id or a business key',
        'ATV-123',
      ),
    },
    answers: { 200: searchResults },
  },
  events: {
    id: 'findEvents',
    summary: 'Find an event by its id',
    description:
      'Searches the histories of all instances for an event id. There is no index of event ids, so the search reads the whole instances table, one part per request. Repeat the request with the returned `cursor` until the event is found or a response contains no `cursor`.',
    tag,
    query: {
      id: requiredText('id', 'the id of an event', 'ATV-123-2'),
      cursor: scanCursor,
    },
    answers: { 200: foundEvents },
    problems: [404],
  },
} satisfies Record<string, Operation>;
