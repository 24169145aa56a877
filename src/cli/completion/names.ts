import * as v from 'valibot';
import type { ApiClient } from '../client/api-client.ts';
import { instanceLinksPath, modelPath } from '../client/api-paths.ts';

/** A word that can complete the command line, and its description. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** The names in a service that can complete a command line. Each method throws `ApiError`. */
export interface Names {
  models(): Promise<Candidate[]>;
  /** Returns transaction ids that start with `start`, most recently changed instance first. */
  transactions(model: string | undefined, start: string): Promise<Candidate[]>;
  /** Returns the statuses of a model or, if it is undefined, of all models. */
  statuses(model: string | undefined): Promise<Candidate[]>;
  eventTypes(model: string | undefined): Promise<Candidate[]>;
  /** Returns the ids of links to an instance's status page, newest first. */
  links(model: string | undefined, transaction: string | undefined): Promise<Candidate[]>;
  /** Returns the versions of the model's function, newest first. */
  versions(model: string | undefined): Promise<Candidate[]>;
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

const maximumNames = '100';

/** Returns the names in a service, which are read through its API. */
export function namesOf(api: ApiClient): Names {
  const all = async () => (await api.get('/models')).read(models).models;
  const one = async (id: string) => (await api.get(modelPath(id))).read(model);
  return {
    async models() {
      return (await all()).map(({ id, title }) => ({ word: id, about: title }));
    },
    async transactions(model, start) {
      const answer = await api.get('/instances', {
        model,
        q: start || undefined,
        limit: maximumNames,
      });
      return answer
        .read(instances)
        .instances.map(({ transaction, status }) => ({ word: transaction, about: status }));
    },
    async statuses(id) {
      const found =
        id === undefined
          ? (await all()).flatMap(({ statuses }) => statuses)
          : (await one(id)).statuses;
      return [...new Set(found)].map(plain);
    },
    async eventTypes(id) {
      return id === undefined ? [] : (await one(id)).eventTypes.map(plain);
    },
    async links(model, transaction) {
      if (model === undefined || transaction === undefined) return [];
      const answer = await api.get(instanceLinksPath(model, transaction), { limit: maximumNames });
      return answer
        .read(links)
        .links.map(({ id, expiresAt }) => ({ word: id, about: `expires ${expiresAt}` }));
    },
    async versions(id) {
      if (id === undefined) return [];
      const found = (await api.get(`${modelPath(id)}/versions`)).read(versions).versions;
      return found.map(({ functionVersion, version }) => ({
        word: functionVersion,
        about: `model version ${version}`,
      }));
    },
  };
}

const plain = (word: string): Candidate => ({ word, about: '' });
