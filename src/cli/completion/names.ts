import * as v from 'valibot';
import type { ApiClient } from '../client/api-client.ts';
import { instanceLinksPath, modelPath } from '../client/api-paths.ts';
import { pageLimit } from '../client/read-all-pages.ts';

/** A word that can complete the command line, and its description. */
export interface Completion {
  readonly word: string;
  readonly about: string;
}

// Names are not escaped, because a shell would insert the escaped text, which is a different name.
const text = v.string();
const models = v.object({
  models: v.array(v.object({ id: text, title: text, statuses: v.array(text) })),
});
const model = v.object({ statuses: v.array(text), eventTypes: v.array(text) });
const instances = v.object({
  instances: v.array(v.object({ transaction: text, status: text })),
});

const versions = v.object({
  versions: v.array(v.object({ functionVersion: text, version: v.number() })),
});

const links = v.object({ links: v.array(v.object({ id: text, expiresAt: text })) });

export type Names = ReturnType<typeof namesOf>;

/** Returns the names in a service that can complete a command line. Each method throws `ApiError`. */
export function namesOf(api: ApiClient) {
  const all = async () => (await api.get('/models')).read(models).models;
  const one = async (id: string) => (await api.get(modelPath(id))).read(model);
  return {
    async models(): Promise<Completion[]> {
      return (await all()).map(({ id, title }) => ({ word: id, about: title }));
    },
    /** Returns transaction ids that start with `start`, most recently changed instance first. */
    async transactions(model: string | undefined, start: string): Promise<Completion[]> {
      const answer = await api.get('/instances', {
        model,
        q: start || undefined,
        limit: pageLimit,
      });
      return answer
        .read(instances)
        .instances.map(({ transaction, status }) => ({ word: transaction, about: status }));
    },
    /** Returns the statuses of a model or, if it is undefined, of all models. */
    async statuses(id: string | undefined): Promise<Completion[]> {
      const found =
        id === undefined
          ? (await all()).flatMap(({ statuses }) => statuses)
          : (await one(id)).statuses;
      return [...new Set(found)].map(plain);
    },
    async eventTypes(id: string | undefined): Promise<Completion[]> {
      return id === undefined ? [] : (await one(id)).eventTypes.map(plain);
    },
    /** Returns the ids of links to an instance's status page, newest first. */
    async links(model: string | undefined, transaction: string | undefined): Promise<Completion[]> {
      if (model === undefined || transaction === undefined) return [];
      const answer = await api.get(instanceLinksPath(model, transaction), { limit: pageLimit });
      return answer
        .read(links)
        .links.map(({ id, expiresAt }) => ({ word: id, about: `expires ${expiresAt}` }));
    },
    /** Returns the versions of the model's function, newest first. */
    async versions(id: string | undefined): Promise<Completion[]> {
      if (id === undefined) return [];
      const found = (await api.get(`${modelPath(id)}/versions`)).read(versions).versions;
      return found.map(({ functionVersion, version }) => ({
        word: functionVersion,
        about: `model version ${version}`,
      }));
    },
  };
}

const plain = (word: string): Completion => ({ word, about: '' });
