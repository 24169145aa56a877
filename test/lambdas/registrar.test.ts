import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answerCustomResource,
  type CustomResourceRequest,
} from '../../src/aws/registry/custom-resource.ts';
import type { Clock } from '../../src/common/clock.ts';
import { modelResourceHandler } from '../../src/registrar/model-resource.ts';
import type { RegisterModelDependencies } from '../../src/registrar/register-model.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';

/**
 * A fake CloudFormation server, which receives the responses. It does not acknowledge the first `silences` responses,
 * and rejects the next `refusals` responses.
 */
interface AnswerAddress {
  readonly url: string;
  readonly answers: { method?: string; headers: IncomingHttpHeaders; body: string }[];
  refusals: number;
  silences: number;
}

let server: Server;
let address: AnswerAddress;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  address.answers.push({ method: request.method, headers: request.headers, body });
  if (address.silences-- > 0) return;
  response.statusCode = address.refusals-- > 0 ? 503 : 200;
  response.end();
}

beforeEach(async () => {
  server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  address = {
    url: `http://127.0.0.1:${port}/answer?signed=yes`,
    answers: [],
    refusals: 0,
    silences: 0,
  };
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const description = {
  id: 'orders',
  version: 2,
  title: 'Orders',
  statuses: ['New', 'Paid'],
  milestones: [{ id: 'paid', label: 'Paid' }],
  eventTypes: ['order.placed'],
  diagram: { nodes: [{ id: 'new', label: 'New' }], edges: [{ from: 'new', to: 'new', label: '' }] },
};

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:orders';

/** A stopped clock, whose delays end immediately. */
const clock: Clock = { now: () => Date.parse('2026-11-21T10:00:00Z'), sleep: async () => {} };

/** Creates an in-memory registry, and the registrar's dependencies for models with the given descriptions. */
function world(
  describeModel: RegisterModelDependencies['describeModel'] = async () => description,
) {
  const registry = new ModelRegistryInMemory();
  // The number of registered models at each call of `begin`.
  const begun: number[] = [];
  const partitions = { begin: async () => void begun.push((await registry.list()).length) };
  const ports: RegisterModelDependencies = {
    describeModel,
    registry: registry.writer,
    partitions,
    clock,
  };
  return { registry, ports, begun };
}

function request(
  RequestType: CustomResourceRequest['RequestType'],
  change: Partial<CustomResourceRequest> = {},
): CustomResourceRequest {
  return {
    RequestType,
    ResponseURL: address.url,
    StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/1',
    RequestId: 'request-1',
    LogicalResourceId: 'Registration',
    ...(RequestType === 'Create' ? {} : { PhysicalResourceId: 'orders' }),
    ResourceProperties: { ModelId: 'orders', FunctionArn: arn },
    ...change,
  };
}

/** Dates a request: `seconds` after 10:00, CloudFormation signed its response URL. */
const sentAt = (seconds: number, sent: CustomResourceRequest): CustomResourceRequest => ({
  ...sent,
  ResponseURL: `${sent.ResponseURL}&X-Amz-Date=20261121T1000${String(seconds).padStart(2, '0')}Z`,
});

/** Handles a request and returns the response to CloudFormation. */
async function ask(ports: RegisterModelDependencies, sent: CustomResourceRequest, timeout = 5_000) {
  await answerCustomResource(sent, modelResourceHandler(ports), { timeout, clock });
  return JSON.parse(address.answers.at(-1)?.body ?? '') as Record<string, string>;
}

describe('the registrar', () => {
  it('registers a model on Create and returns the model id as the physical id', async () => {
    const { registry, ports } = world();
    expect(await ask(ports, request('Create'))).toEqual({
      Status: 'SUCCESS',
      PhysicalResourceId: 'orders',
      StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/1',
      RequestId: 'request-1',
      LogicalResourceId: 'Registration',
    });
    expect(await registry.list()).toEqual([
      {
        ...description,
        functionArn: arn,
        registeredAt: '2026-11-21T10:00:00.000Z',
        registeredBy: 'arn:aws:cloudformation:us-east-1:000000000000:stack/Milepost/1/Registration',
      },
    ]);
  });

  it('sets the number of index partitions before it registers the first model', async () => {
    const { ports, begun } = world();
    await ask(ports, request('Create'));
    await ask(ports, request('Update'));
    expect(begun).toEqual([0]);
  });

  it('responds with one PUT request with an empty content type, which the signature requires', async () => {
    await ask(world().ports, request('Create'));
    expect(address.answers).toHaveLength(1);
    expect(address.answers[0]).toMatchObject({ method: 'PUT', headers: { 'content-type': '' } });
  });

  it('requests the description from the model again on Update', async () => {
    let version = 1;
    const { registry, ports } = world(async () => ({ ...description, version: version++ }));
    await ask(ports, request('Create'));
    const answer = await ask(ports, request('Update'));
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'orders' });
    expect((await registry.get('orders'))?.version).toBe(2);
  });

  it('registers a changed model id before it removes the old id', async () => {
    let id = 'orders';
    const { registry, ports } = world(async () => ({ ...description, id }));
    await ask(ports, request('Create'));
    id = 'purchases';
    const ResourceProperties = { ModelId: 'purchases', FunctionArn: arn };
    const answer = await ask(ports, request('Update', { ResourceProperties }));
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'purchases' });
    expect((await registry.list()).map(({ id }) => id)).toEqual(['orders', 'purchases']);
    await ask(ports, request('Delete'));
    expect((await registry.list()).map(({ id }) => id)).toEqual(['purchases']);
  });

  it('stores the published version for a rollback', async () => {
    let version = 1;
    const { registry, ports } = world(async () => ({ ...description, version: version++ }));
    const published = (FunctionVersion: string) => ({
      ResourceProperties: { ModelId: 'orders', FunctionArn: arn, FunctionVersion },
    });
    await ask(ports, request('Create', published('1')));
    await ask(ports, request('Update', published('2')));
    expect(await registry.versions('orders')).toMatchObject([
      { functionVersion: '2', version: 2, functionArn: `${arn}:2` },
      { functionVersion: '1', version: 1, functionArn: `${arn}:1` },
    ]);
    expect(await registry.get('orders')).toMatchObject({ functionArn: arn, functionVersion: '2' });
    await ask(ports, request('Delete'));
    expect(await registry.versions('orders')).toEqual([]);
  });

  it('registers the new version at the next deployment after a rollback', async () => {
    const { registry, ports } = world();
    await ask(ports, request('Create'));
    const before = (await registry.get('orders'))!;
    await registry.replace(before, { ...before, functionArn: `${arn}:1` });
    await ask(ports, request('Update'));
    expect(await registry.get('orders')).toMatchObject({ functionArn: arn });
  });

  it('removes a rolled-back model on Delete', async () => {
    const { registry, ports } = world();
    await ask(ports, request('Create'));
    const before = (await registry.get('orders'))!;
    await registry.replace(before, { ...before, functionArn: `${arn}:1` });
    await ask(ports, request('Delete'));
    expect(await registry.list()).toEqual([]);
  });

  it('removes a model on Delete', async () => {
    const { registry, ports } = world();
    await ask(ports, request('Create'));
    const answer = await ask(ports, request('Delete'));
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'orders' });
    expect(await registry.list()).toEqual([]);
  });

  it('succeeds on Delete after a failed Create', async () => {
    const broken = request('Delete', {
      PhysicalResourceId: 'Registration',
      ResourceProperties: { ModelId: 'No Such Id' },
    });
    const answer = await ask(world().ports, broken);
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'Registration' });
  });
});

describe('the registrar, if requests overlap,', () => {
  const version = (FunctionVersion: string) => ({
    ResourceProperties: { ModelId: 'orders', FunctionArn: arn, FunctionVersion },
  });

  /** A world whose model describes itself only when `describes` is called, once for each waiting request. */
  function slowWorld() {
    const waiting: (() => void)[] = [];
    const made = world(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return description;
    });
    const describes = async (nth: number) => {
      await vi.waitUntil(() => waiting.length > nth);
      waiting[nth]!();
    };
    return { ...made, describes };
  }

  it('keeps the version of a rollback that a canceled update outlasts', async () => {
    const { registry, ports, describes } = slowWorld();
    const created = ask(ports, sentAt(0, request('Create', version('24'))));
    await describes(0);
    await created;
    const canceled = ask(ports, sentAt(10, request('Update', version('25'))));
    const rollback = ask(ports, sentAt(15, request('Update', version('24'))));
    await describes(2);
    expect(await rollback).toMatchObject({ Status: 'SUCCESS' });
    await describes(1);
    expect(await canceled).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'orders' });
    expect(await registry.get('orders')).toMatchObject({ functionVersion: '24' });
    expect(await registry.versions('orders')).toMatchObject([{ functionVersion: '24' }]);
  });

  it('keeps the version of a later deployment if Lambda delivers an update late', async () => {
    const { registry, ports } = world();
    await ask(ports, sentAt(20, request('Update', version('26'))));
    await ask(ports, sentAt(10, request('Update', version('25'))));
    expect(await registry.get('orders')).toMatchObject({
      functionVersion: '26',
      registeredAt: '2026-11-21T10:00:20.000Z',
    });
    expect(await registry.versions('orders')).toMatchObject([{ functionVersion: '26' }]);
  });

  it("keeps an operator's rollback if Lambda delivers the update before it again", async () => {
    const { registry, ports } = world();
    const update = sentAt(10, request('Update', version('25')));
    await ask(ports, update);
    const before = (await registry.get('orders'))!;
    const registeredAt = '2026-11-21T10:00:10.001Z';
    await registry.replace(before, { ...before, functionArn: `${arn}:24`, registeredAt });
    await ask(ports, update);
    expect(await registry.get('orders')).toMatchObject({ functionArn: `${arn}:24` });
  });

  it('does not register a model whose canceled creation outlasts its deletion', async () => {
    const { registry, ports, describes } = slowWorld();
    const canceled = ask(ports, sentAt(10, request('Create', version('1'))));
    await ask(ports, sentAt(15, request('Delete', version('1'))));
    await describes(0);
    await canceled;
    expect(await registry.list()).toEqual([]);
  });

  it('does not remove a model that was added again if Lambda delivers the deletion again', async () => {
    const { registry, ports } = world();
    const deletion = sentAt(10, request('Delete', version('1')));
    await ask(ports, sentAt(0, request('Create', version('1'))));
    await ask(ports, deletion);
    await ask(ports, sentAt(20, request('Create', version('1'))));
    await ask(ports, deletion);
    expect(await registry.list()).toMatchObject([{ id: 'orders' }]);
    expect(await registry.versions('orders')).toHaveLength(1);
  });

  it('lets a request without a time take effect, because emulators of AWS do not sign the URL', async () => {
    const { registry, ports } = world();
    await ask(ports, sentAt(59, request('Create', version('1'))));
    await ask(ports, request('Update', version('2')));
    expect(await registry.get('orders')).toMatchObject({ functionVersion: '2' });
    await ask(ports, sentAt(59, request('Update', version('3'))));
    await ask(ports, request('Delete'));
    expect(await registry.list()).toEqual([]);
  });
});

describe('the registrar, if a deployment moves a model to another resource,', () => {
  /** A request for the resource `LogicalResourceId` with a function of its own. */
  const of = (
    LogicalResourceId: 'Before' | 'After',
    type: CustomResourceRequest['RequestType'],
    FunctionVersion: string,
    FunctionArn = `${arn}-${LogicalResourceId}`,
  ) =>
    request(type, {
      LogicalResourceId,
      ResourceProperties: { ModelId: 'orders', FunctionArn, FunctionVersion },
    });

  /** A world in which the resource `Before` has registered two versions. */
  async function deployed(FunctionArn?: string) {
    const made = world();
    await ask(made.ports, sentAt(0, of('Before', 'Create', '1', FunctionArn)));
    await ask(made.ports, sentAt(2, of('Before', 'Update', '2', FunctionArn)));
    return made;
  }

  /** Selects the first version of the resource `Before`, as an operator's rollback at the given time does. */
  async function rollBack(registry: ModelRegistryInMemory, registeredAt: string) {
    const before = (await registry.get('orders'))!;
    const selected = { functionArn: `${arn}-Before:1`, functionVersion: '1', registeredAt };
    await registry.replace(before, { ...before, ...selected });
  }

  it.each([
    ['function', undefined],
    ['resource of the same function', arn],
  ])('keeps the new %s when CloudFormation deletes the old one', async (_, same) => {
    const { registry, ports } = await deployed(same);
    await ask(ports, sentAt(10, of('After', 'Create', '3', same)));
    await ask(ports, sentAt(20, of('Before', 'Delete', '2', same)));
    const functionArn = same ?? `${arn}-After`;
    expect(await registry.get('orders')).toMatchObject({ functionArn, functionVersion: '3' });
    expect((await registry.versions('orders'))[0]).toMatchObject({ functionVersion: '3' });
    // Lambda can deliver a request twice.
    await ask(ports, sentAt(20, of('Before', 'Delete', '2', same)));
    await ask(ports, sentAt(10, of('After', 'Create', '3', same)));
    expect(await registry.get('orders')).toMatchObject({ functionArn, functionVersion: '3' });
    await ask(ports, sentAt(30, of('After', 'Delete', '3', same)));
    expect(await registry.list()).toEqual([]);
    expect(await registry.versions('orders')).toEqual([]);
  });

  it.each([
    ['function', undefined],
    ['resource of the same function', arn],
  ])('restores the old %s if the deployment fails', async (_, same) => {
    const { registry, ports } = await deployed(same);
    const [entry, versions] = [await registry.get('orders'), await registry.versions('orders')];
    const creation = sentAt(10, of('After', 'Create', '3', same));
    const deletion = sentAt(20, of('After', 'Delete', '3', same));
    // Lambda can deliver each request twice, and late.
    for (const each of [creation, creation, deletion, deletion, creation]) await ask(ports, each);
    expect(await registry.get('orders')).toEqual({
      ...entry,
      registeredAt: '2026-11-21T10:00:20.000Z',
    });
    expect(await registry.versions('orders')).toEqual(versions);
  });

  it('keeps the old function if the canceled creation outlasts its deletion', async () => {
    const { registry, ports } = await deployed();
    const versions = await registry.versions('orders');
    await ask(ports, sentAt(20, of('After', 'Delete', '1')));
    await ask(ports, sentAt(10, of('After', 'Create', '1')));
    expect(await registry.get('orders')).toMatchObject({ functionArn: `${arn}-Before` });
    expect(await registry.versions('orders')).toEqual(versions);
  });

  it('restores the version to which an operator had rolled back', async () => {
    const { registry, ports } = await deployed();
    await rollBack(registry, '2026-11-21T10:00:05.123Z');
    await ask(ports, sentAt(10, of('After', 'Create', '1')));
    await ask(ports, sentAt(20, of('After', 'Delete', '1')));
    expect(await registry.get('orders')).toMatchObject({ functionArn: `${arn}-Before:1` });
    expect(await registry.versions('orders')).toHaveLength(2);
  });

  it('fails if an operator rolls the model back during the move, because the deletion of the old resource would remove it', async () => {
    const { registry, ports } = await deployed();
    await rollBack(registry, '2026-11-21T10:00:11.123Z');
    expect(await ask(ports, sentAt(10, of('After', 'Create', '3')))).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('orders was rolled back while this deployment moved it'),
    });
    await ask(ports, sentAt(20, of('After', 'Delete', '3')));
    expect(await registry.get('orders')).toMatchObject({ functionArn: `${arn}-Before:1` });
    expect(await registry.versions('orders')).toHaveLength(2);
  });

  it("keeps an operator's rollback and all versions if the deletion was sent before it", async () => {
    const { registry, ports } = await deployed();
    await rollBack(registry, '2026-11-21T10:00:11.123Z');
    await ask(ports, sentAt(10, of('Before', 'Delete', '2')));
    expect(await registry.list()).toHaveLength(1);
    expect(await registry.versions('orders')).toHaveLength(2);
  });

  it.each([
    ['Create', 0],
    ['Update', 1],
  ] as const)('%s requests the deletion of old versions %s times', async (type, times) => {
    const { ports } = await deployed();
    const registered: unknown[] = [];
    const handle = modelResourceHandler(ports, (made) => registered.push(made));
    await handle(of('After', type, '1'), new AbortController().signal);
    expect(registered).toHaveLength(times);
  });

  it('removes the model later even if CloudFormation never deleted the old resource', async () => {
    const { registry, ports } = await deployed();
    await ask(ports, sentAt(10, of('After', 'Create', '1')));
    await ask(ports, sentAt(20, of('After', 'Update', '2')));
    await ask(ports, sentAt(30, of('After', 'Delete', '2')));
    expect(await registry.list()).toEqual([]);
  });
});

describe('the registrar', () => {
  it.each<[string, unknown, RegExp]>([
    ['the function serves another model', { ...description, id: 'returns' }, /"orders".*"returns"/],
    ['part of the description is missing', { ...description, title: undefined }, /title/],
    ['the response is not a description', 'hello', /invalid model description/],
  ])('reports a failure to CloudFormation if %s', async (_, described, reason) => {
    const { registry, ports } = world(async () => described);
    const answer = await ask(ports, request('Create'));
    expect(answer).toMatchObject({ Status: 'FAILED', Reason: expect.stringMatching(reason) });
    expect(await registry.list()).toEqual([]);
  });

  it('reports a failure to CloudFormation if the model fails', async () => {
    const { ports } = world(async () => {
      throw new Error('out of memory');
    });
    const answer = await ask(ports, request('Update'));
    expect(answer).toMatchObject({ Status: 'FAILED', Reason: 'out of memory' });
    // The physical id must not change. Otherwise, CloudFormation would delete the working model.
    expect(answer['PhysicalResourceId']).toBe('orders');
  });

  it('reports a failure to CloudFormation if the model times out', async () => {
    const { ports } = world(() => new Promise(() => {}));
    const answer = await ask(ports, request('Create'), 1);
    expect(answer).toMatchObject({ Status: 'FAILED', Reason: expect.stringMatching(/time/) });
  });

  it('does not register a description that arrives after the failure was reported', async () => {
    const described = Promise.withResolvers<unknown>();
    const { registry, ports } = world(() => described.promise);
    expect(await ask(ports, request('Create'), 1)).toMatchObject({ Status: 'FAILED' });
    // Lambda continues the interrupted work when the rollback invokes the function again.
    described.resolve(description);
    await ask(ports, request('Delete'));
    expect(await registry.list()).toEqual([]);
  });

  it.each(['isEmpty', 'keepVersion'] as const)(
    'does not register a model if %s returns after the failure was reported',
    async (slow) => {
      const { registry, ports } = world();
      const resumed = Promise.withResolvers<void>();
      const method = registry.writer[slow].bind(registry.writer) as () => Promise<never>;
      // Lambda continues the interrupted work when the rollback invokes the function again.
      registry.writer[slow] = async (...given: []) => {
        await resumed.promise;
        return method(...given);
      };
      const ResourceProperties = { ModelId: 'orders', FunctionArn: arn, FunctionVersion: '2' };
      const create = request('Create', { ResourceProperties });
      expect(await ask(ports, create, 1)).toMatchObject({ Status: 'FAILED' });
      resumed.resolve();
      await new Promise(setImmediate);
      expect(await registry.list()).toEqual([]);
    },
  );

  it('reports a failure to CloudFormation if the registry cannot be written', async () => {
    const { ports } = world();
    ports.registry.put = async () => {
      throw new Error('throttled');
    };
    expect(await ask(ports, request('Create'))).toMatchObject({
      Status: 'FAILED',
      Reason: 'throttled',
    });
  });

  it('reports a failure to CloudFormation if the resource is invalid', async () => {
    const answer = await ask(world().ports, request('Create', { ResourceProperties: {} }));
    expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'Registration' });
    expect(answer['Reason']).toMatch(/ModelId/);
  });

  it('reports a failure to CloudFormation if the function version is not a number', async () => {
    const wrong = { ModelId: 'orders', FunctionArn: arn, FunctionVersion: '$LATEST' };
    const answer = await ask(world().ports, request('Create', { ResourceProperties: wrong }));
    expect(answer).toMatchObject({ Status: 'FAILED' });
    expect(answer['Reason']).toMatch(/FunctionVersion/);
  });

  it('truncates a long reason, because CloudFormation accepts responses of up to 4,096 bytes', async () => {
    const { ports } = world(async () => {
      throw new Error('\u0001'.repeat(10_000));
    });
    await ask(ports, request('Create'));
    expect(Buffer.byteLength(address.answers[0]?.body ?? '')).toBeLessThan(4096);
  });

  it('sends a rejected response again', async () => {
    address.refusals = 2;
    expect(await ask(world().ports, request('Create'))).toMatchObject({ Status: 'SUCCESS' });
    expect(address.answers).toHaveLength(3);
  });

  it('sends the response again if CloudFormation does not acknowledge it', async () => {
    address.silences = 1;
    const { ports } = world();
    const options = { timeout: 5_000, sendTimeout: 1_000, clock };
    await answerCustomResource(request('Create'), modelResourceHandler(ports), options);
    expect(address.answers.length).toBeGreaterThan(1);
    expect(new Set(address.answers.map(({ body }) => body)).size).toBe(1);
  });

  it('fails if every response is rejected, so that Lambda retries the invocation', async () => {
    address.refusals = 100;
    await expect(ask(world().ports, request('Create'))).rejects.toThrow(/503/);
  });
});
