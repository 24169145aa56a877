import { Validator } from '@seriousme/openapi-schema-validator';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { me } from '../../src/api/access/me-schema.ts';
import { checkList } from '../../src/api/checks/check-schemas.ts';
import { linkPage } from '../../src/api/customer-pages/link-schemas.ts';
import { deadLetter, deadLetterPage } from '../../src/api/dead-letters/dead-letter-schemas.ts';
import { explanation } from '../../src/api/instances/explanation-schema.ts';
import { entry, entryPage } from '../../src/api/instances/history-schemas.ts';
import {
  instance,
  instancePage,
  pastInstance,
  summary,
} from '../../src/api/instances/instance-schemas.ts';
import { modelDetail, modelList, versionList } from '../../src/api/registry/model-schemas.ts';
import { overview } from '../../src/api/registry/overview-schema.ts';
import type { DeadLetter } from '../../src/core/event/dead-letter.ts';
import { placed } from '../support/data/events.ts';
import { registryRequest } from '../support/models/registry-request.ts';
import { MemoryApi } from '../support/service/memory-api.ts';

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
}

interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const letter: DeadLetter = {
  id: '000000001-0123456789abcdef',
  reason: 'no such model',
  at: '2026-01-02T03:04:05.000Z',
  modelId: 'nobody',
  transactionId: null,
  eventId: null,
  partitionKey: 'T1',
  parked: null,
  raw: Buffer.from('{}'),
};

const api = new MemoryApi();
let document: Document;
beforeAll(async () => {
  document = (await api.get<Document>('/api/openapi.json')).body;
});

describe('GET /api/openapi.json', () => {
  it('returns a valid OpenAPI 3.1 description', async () => {
    const result = await new Validator().validate({ ...document });
    expect(result.errors).toBeUndefined();
    expect(document.openapi).toBe('3.1.0');
  });

  it('describes the optional token, so that generated clients can send it', () => {
    expect(document).toMatchObject({
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{}, { token: [] }],
    });
  });

  it('names as its server the address that the client used', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const answer = await api.send<{ servers: unknown }>(
      'GET',
      '/api/openapi.json',
      undefined,
      headers,
    );
    expect(answer.body.servers).toEqual([{ url: 'https://localhost' }]);
  });

  it('describes every operation of the API', () => {
    const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(calls.toSorted()).toEqual([
      'DELETE /api/dead-letters/{id}',
      'DELETE /api/instances/{model}/{transaction}/links',
      'DELETE /api/instances/{model}/{transaction}/links/{id}',
      'GET /api/checks',
      'GET /api/counts',
      'GET /api/dead-letters',
      'GET /api/dead-letters/{id}',
      'GET /api/health',
      'GET /api/instances',
      'GET /api/instances/{model}/{transaction}',
      'GET /api/instances/{model}/{transaction}/deadlines',
      'GET /api/instances/{model}/{transaction}/explain',
      'GET /api/instances/{model}/{transaction}/history',
      'GET /api/instances/{model}/{transaction}/links',
      'GET /api/me',
      'GET /api/models',
      'GET /api/models/{model}',
      'GET /api/models/{model}/sla',
      'GET /api/models/{model}/versions',
      'GET /api/overview',
      'GET /api/search',
      'GET /api/search/events',
      'POST /api/counts/rebuild',
      'POST /api/dead-letters/redrive',
      'POST /api/dead-letters/{id}/redrive',
      'POST /api/events',
      'POST /api/instances/{model}/{transaction}/forget',
      'POST /api/instances/{model}/{transaction}/rebuild',
      'POST /api/instances/{model}/{transaction}/redrive',
      'POST /api/links',
      'POST /api/models/{model}/rebuild',
      'POST /api/models/{model}/rollback',
    ]);
  });

  it('gives each operation a unique id: a verb, usually with a noun', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(
        /^(?:check|count|create|delete|explain|find|forget|get|list|rebuild|redrive|revoke|rollBack|search|send)(?:[A-Z]\w+)?$/,
      );
  });

  it('names every object in a body, so that generated clients have a type for each object', () => {
    for (const operations of Object.values(document.paths))
      for (const operation of Object.values(operations)) {
        const bodies = [operation.requestBody, ...Object.values(operation.responses)];
        const schemas = bodies.flatMap((body) =>
          Object.values(body?.content ?? {}).map(({ schema }) => schema.items ?? schema),
        );
        for (const schema of schemas)
          expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/);
      }
  });

  it('contains only alternatives that generated clients support: an object or null', () => {
    const alternatives: unknown[] = [];
    JSON.stringify(document, (name, value: unknown) => {
      if (['anyOf', 'oneOf', 'allOf'].includes(name)) alternatives.push(value);
      return value;
    });
    const ref = expect.stringContaining('#/components/schemas/') as string;
    for (const each of alternatives) expect(each).toEqual([{ $ref: ref }, { type: 'null' }]);
  });

  it('allows any type for additional members of an object, because TypeScript would require optional members to have the same type', () => {
    const open: unknown[] = [];
    JSON.stringify(document, (_, value: Partial<Record<string, unknown>> | null) => {
      if (value?.['properties'] && value['additionalProperties'])
        open.push(value['additionalProperties']);
      return value;
    });
    expect(open).toEqual([true]);
  });

  it('describes each path parameter once', () => {
    for (const [path, operations] of Object.entries(document.paths))
      for (const { parameters = [] } of Object.values(operations)) {
        const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect([path, ...inPath]).toEqual([path, ...wanted]);
      }
  });

  it('marks the required query parameters', () => {
    const required = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ parameters = [] }) =>
        parameters
          .filter((each) => each.in === 'query' && each.required)
          .map(({ name }) => `${path} ${name}`),
      ),
    );
    expect(required.toSorted()).toEqual([
      '/api/counts model',
      '/api/search q',
      '/api/search/events id',
    ]);
  });

  it('describes the 500 and 503 responses of each operation', () => {
    for (const operations of Object.values(document.paths))
      for (const { responses } of Object.values(operations))
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['500', '503']));
  });
});

describe('the responses from the API', () => {
  beforeAll(async () => {
    await api.apply(placed(1), placed(2));
    await api.deadLetters.put([letter]);
    await api.send('POST', '/api/links', '{"model":"counter","transaction":"T1"}');
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:counter:1';
    const registeredAt = '2026-01-01T00:00:00.000Z';
    const version = { functionVersion: '1', version: 1, functionArn, registeredAt };
    await api.models.writer.keepVersion('counter', version, registryRequest());
  });

  it.each([
    ['/api/instances', instancePage],
    ['/api/instances?limit=1', instancePage],
    ['/api/instances/counter/T1', instance],
    ['/api/instances/counter/T1?version=1', pastInstance],
    ['/api/instances/counter/T1/explain', explanation],
    ['/api/instances/counter/T1/explain?field=/none', explanation],
    ['/api/instances/counter/T1/history', entryPage],
    ['/api/instances/counter/T1/links', linkPage],
    ['/api/checks', checkList],
    ['/api/me', me],
    ['/api/models', modelList],
    ['/api/overview', overview],
    ['/api/models/counter', modelDetail],
    ['/api/models/counter/versions', versionList],
    ['/api/dead-letters', deadLetterPage],
    ['/api/dead-letters/000000001-0123456789abcdef', deadLetter],
  ])('to GET %s match their schema', async (path, schema) => {
    const answer = await api.get(path);
    expect(answer.status).toBe(200);
    // Every member is described in the schema, and every required member is present.
    expect(v.parse(schema, answer.body)).toStrictEqual(answer.body);
  });

  it('include list elements that match their schemas', async () => {
    const { instances } = (await api.get<{ instances: unknown[] }>('/api/instances')).body;
    expect(v.parse(summary, instances[0])).toStrictEqual(instances[0]);
    const path = '/api/instances/counter/T1/history';
    const { entries } = (await api.get<{ entries: unknown[] }>(path)).body;
    expect(v.parse(entry, entries[0])).toStrictEqual(entries[0]);
    const links = (await api.get<{ links: unknown[] }>('/api/instances/counter/T1/links')).body;
    expect(links.links).toHaveLength(1);
  });
});
