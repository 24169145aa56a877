import type { FoundEvents, Model, SearchResults } from '../api/types.ts';
import { instancePage, modelPage, withQuery } from './paths.ts';
import type { Recent } from './recent.ts';

/** A search result: a page, and the text that identifies the page for the user. */
export interface SearchResult extends Recent {
  /** Text that distinguishes the result from similar ones, such as the model and the status. */
  readonly detail: string;
}

/** Lists the results of a search in display order. */
export function resultsOf(
  text: string,
  found: SearchResults,
  models: readonly Model[],
): SearchResult[] {
  const titleOf = (id: string) => models.find((model) => model.id === id)?.title ?? id;
  const instances = (kind: string, list: SearchResults['instances']) =>
    list.map(({ model, transaction, status }) => ({
      kind,
      text: transaction,
      detail: `${titleOf(model)} · ${status}`,
      href: instancePage(model, transaction),
    }));
  return [
    ...instances('Instance', found.instances),
    ...instances('Business key', found.byKey),
    ...models
      .filter(({ id, title }) => [id, title].some((name) => hasText(name, text)))
      .map(({ id, title }) => ({ kind: 'Model', text: title, detail: id, href: modelPage(id) })),
    ...found.deadLetters.map(({ id, reason, parked, modelId, transactionId }) => ({
      kind: parked ? 'Parked event' : 'Dead letter',
      text: id,
      detail: reason,
      // Link a parked event to its instance because the list of dead letters shows only the newest ones.
      href:
        parked && modelId !== null && transactionId !== null
          ? instancePage(modelId, transactionId)
          : withQuery('/dead-letters', { q: id }),
    })),
  ];
}

/** Lists the events that were found in histories. Each result links to the instance's state after the event. */
export const eventResults = ({ events }: Pick<FoundEvents, 'events'>): SearchResult[] =>
  events.map(({ model, transaction, version, id, type }) => ({
    kind: 'Event',
    text: id,
    detail: `${type} of ${transaction}, version ${version}`,
    href: withQuery(instancePage(model, transaction), { version: `${version}` }),
  }));

const hasText = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase());
