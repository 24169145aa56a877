import { marshall } from '@aws-sdk/util-dynamodb';
import type { InferOutput } from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import type { modelDetail } from '../../../src/api/registry/model-schemas.ts';
import type { InvokeResponse } from '../../../src/aws/client/lambda.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import type { ModelVersion } from '../../../src/core/model/model-version.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { milestoneStep, statusStep } from '../../../src/core/status/step-times.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { registryRequest } from '../../support/models/registry-request.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

type ModelDetail = InferOutput<typeof modelDetail>;
/** Matches a number of seconds with a tolerance of 5%, which is the accuracy of step durations. */
const within = (seconds: number) =>
  expect.toSatisfy((value: number) => Math.abs(value - seconds) <= 0.051 * seconds);

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const counter = {
  id: 'counter',
  version: 1,
  title: 'The model counter',
  statuses: ['Low', 'High'],
  milestones: [],
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:counter',
};

describe('GET /api/models', () => {
  it('returns every model', async () => {
    api.models.register(registryEntry('adder', { version: 3 }));
    expect((await api.get('/api/models')).body).toEqual({
      models: [expect.objectContaining({ id: 'adder', version: 3 }), counter],
    });
  });

  it('returns an empty list if no model is registered', async () => {
    api.models.unregister('counter');
    expect(await api.get('/api/models')).toMatchObject({ status: 200, body: { models: [] } });
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

describe('GET /api/models/{model}', () => {
  it('returns a model with its event types and its diagram', async () => {
    const diagram = { nodes: [{ id: 'Low', label: 'Low' }], edges: [] };
    api.models.register(registryEntry('drawn', { diagram }));
    expect((await api.get('/api/models/drawn')).body).toMatchObject({ id: 'drawn', diagram });
    expect((await api.get('/api/models/counter')).body).toEqual({
      ...counter,
      eventTypes: ['added'],
      diagram: null,
      steps: { milestones: [], statuses: [] },
    });
  });

  it("returns the usual durations of the model's steps", async () => {
    const milestones = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
      { id: 'c', label: 'C' },
    ];
    api.models.register(registryEntry('paced', { milestones }));
    const stepDurations = new StepDurations();
    for (let i = 0; i < 10; i++)
      stepDurations.add([
        { step: milestoneStep(null, 'a'), ms: 0 },
        { step: milestoneStep('a', 'b'), ms: i < 8 ? 1000 : 60_000 },
        { step: statusStep('Low'), ms: 3_600_000 },
      ]);
    await api.observations.addStepDurations('paced', stepDurations);
    const { body } = await api.get<ModelDetail>('/api/models/paced');
    expect(body.steps).toMatchObject({
      milestones: [
        { from: null, to: 'a', count: 10, p50: 0, p90: 0 },
        { from: 'a', to: 'b', count: 10, p50: within(1), p90: within(60) },
      ],
      statuses: [{ status: 'Low', count: 10, p50: within(3600), p90: within(3600) }],
    });
    const { upTo, shares } = body.steps.milestones[1]!.distribution;
    expect(upTo).toBeGreaterThan(60);
    expect(shares).toHaveLength(24);
    expect([shares[0], sum(shares)]).toEqual([0.8, expect.closeTo(1, 2)]);
  });

  const unknown = ['nobody', 'No%20Model', 'a%2Fb', '%25', 'constructor', 'x'.repeat(3000)];
  it.each(unknown.map((id) => [abbreviated(id), id]))(
    'responds with 404 to the model id %s',
    async (_, id) => {
      expect(await api.get(`/api/models/${id}`)).toMatchObject(problem(404, 'there is no model'));
    },
  );

  it('does not query the registry for an invalid model id', async () => {
    await api.get('/api/models/Nobody');
    expect(api.models.reads).toEqual(new Map());
  });
});

describe('the versions of a model', () => {
  const arn = counter.functionArn;
  const path = '/api/models/counter';
  const version = (number: number, model: number) => ({
    functionVersion: String(number),
    version: model,
    functionArn: `${arn}:${number}`,
    registeredAt: `2026-01-0${number}T00:00:00.000Z`,
  });
  const describing = (more: object = {}) => {
    const { functionArn: _, registeredAt: _at, ...description } = registryEntry('counter');
    return { payload: JSON.stringify({ ...description, ...more }) };
  };
  const rollBack = (body: unknown, id = 'counter') =>
    api.send<{ detail: string }>(
      'POST',
      `/api/models/${id}/rollback`,
      typeof body === 'string' ? body : JSON.stringify(body),
    );
  const listed = async () =>
    (await api.get<{ versions: (ModelVersion & { current: boolean })[] }>(`${path}/versions`)).body
      .versions;

  beforeEach(async () => {
    for (const each of [version(1, 1), version(2, 2), version(3, 2)])
      await api.models.writer.keepVersion('counter', each, registryRequest());
    const { registeredAt } = version(3, 2);
    const deployed = { functionVersion: '3', version: 2, registeredAt };
    api.models.register(registryEntry('counter', deployed));
    for (const number of [1, 2, 3])
      api.lambda.functions.set(`${arn}:${number}`, () =>
        describing({ version: number === 1 ? 1 : 2 }),
      );
  });

  it('are listed newest first, with the current version marked', async () => {
    expect(await listed()).toEqual([
      { ...version(3, 2), current: true },
      { ...version(2, 2), current: false },
      { ...version(1, 1), current: false },
    ]);
  });

  it('are an empty list if no version has been published', async () => {
    api.models.register(registryEntry('adder'));
    const { status, body } = await api.get('/api/models/adder/versions');
    expect({ status, body }).toEqual({ status: 200, body: { versions: [] } });
  });

  it('can be activated by a rollback, which restores the description and the code', async () => {
    expect(await rollBack({ functionVersion: '1' })).toMatchObject({
      status: 200,
      body: { ...version(1, 1), current: true },
    });
    expect((await api.get(path)).body).toMatchObject({ version: 1, functionArn: `${arn}:1` });
    expect((await listed()).map(({ current }) => current)).toEqual([false, false, true]);
  });

  it('cannot be activated while a deployment moves the model to the function of the version', async () => {
    api.models.register(
      registryEntry('counter', { functionArn: `${arn}-before`, functionVersion: '7' }),
    );
    expect(await rollBack({ functionVersion: '3' })).toMatchObject(
      problem(404, 'the registry does not contain function version 3 of counter'),
    );
    expect(await api.models.get('counter')).toMatchObject({ functionArn: `${arn}-before` });
  });

  it('are neither listed nor activated after the model moves to another language, because Milepost may not invoke them', async () => {
    api.models.register(registryEntry('counter', { registeredAt: '2026-01-04T00:00:00.000Z' }));
    expect(await listed()).toEqual([]);
    expect(await rollBack({ functionVersion: '3' })).toMatchObject(
      problem(404, 'the registry does not contain function version 3 of counter'),
    );
    expect(await api.models.get('counter')).toMatchObject({ functionArn: arn });
  });

  it('can be activated directly after a deployment, even if eventually consistent reads do not show the deployment yet', async () => {
    api.models.lagging.add('counter');
    expect(await rollBack({ functionVersion: '1' })).toMatchObject({
      status: 200,
      body: { current: true },
    });
  });

  it('can be activated repeatedly with the same result', async () => {
    await rollBack({ functionVersion: '1' });
    const before = await api.models.get('counter');
    api.lambda.functions.clear();
    expect(await rollBack({ functionVersion: '1' })).toMatchObject({ status: 200 });
    expect(await api.models.get('counter')).toEqual(before);
  });

  it('can be activated even if the response to the write is lost and the write is repeated', async () => {
    const replace = api.models.replace.bind(api.models);
    api.models.replace = async (before, after) => {
      await replace(before, after);
      return replace(before, after);
    };
    expect(await rollBack({ functionVersion: '1' })).toMatchObject({
      status: 200,
      body: { current: true },
    });
  });

  it('use the unqualified function ARN again when the latest version is restored', async () => {
    await rollBack({ functionVersion: '2' });
    await rollBack({ functionVersion: '3' });
    expect(await api.models.get('counter')).toMatchObject({
      functionArn: arn,
      functionVersion: '3',
    });
  });

  it.each([
    ['nothing', ''],
    ['invalid JSON', '{'],
    ['a numeric version', { functionVersion: 1 }],
    ['an alias', { functionVersion: '$LATEST' }],
    ['a model version', { version: 1 }],
    ['an unknown member', { functionVersion: '1', force: true }],
    ['null', 'null'],
  ])('cannot be activated with %s in the body', async (_, body) => {
    expect(await rollBack(body)).toMatchObject(problem(400));
  });

  it('cannot be activated if the version or the model is unknown', async () => {
    expect(await rollBack({ functionVersion: '4' })).toMatchObject(problem(404));
    expect(await rollBack({ functionVersion: '1' }, 'nobody')).toMatchObject(problem(404));
    expect(await rollBack({ functionVersion: '1' }, 'counter%23versions')).toMatchObject(
      problem(404),
    );
    expect(await api.get('/api/models/nobody/versions')).toMatchObject(problem(404));
  });

  const refused = (name: string) => () => {
    throw new ServiceError(name, 'refused', 400);
  };
  it.each<[what: string, invoked: () => InvokeResponse, status: number]>([
    ['was deleted', refused('ResourceNotFoundException'), 409],
    ['returns an invalid description', () => ({ payload: '"hello"' }), 409],
    ['serves another model', () => describing({ id: 'adder' }), 409],
    ['is unavailable', refused('TooManyRequestsException'), 503],
  ])('cannot be activated if the function %s', async (_, invoked, status) => {
    const before = await api.models.get('counter');
    api.lambda.functions.set(`${arn}:1`, invoked);
    expect(await rollBack({ functionVersion: '1' })).toMatchObject(problem(status));
    expect(await api.models.get('counter')).toEqual(before);
  });

  it('cannot be activated during a concurrent deployment', async () => {
    api.lambda.functions.set(`${arn}:1`, () => {
      api.models.register(registryEntry('counter', { functionVersion: '5', registeredAt: 'now' }));
      return describing();
    });
    expect(await rollBack({ functionVersion: '1' })).toMatchObject(problem(409));
    expect(await api.models.get('counter')).toMatchObject({ functionVersion: '5' });
  });

  it('cannot be activated if a deployment drops the version while the rollback reads the registry', async () => {
    const getConsistent = api.models.getConsistent.bind(api.models);
    api.models.getConsistent = async (id) => {
      await new Promise(setImmediate);
      const item = { id: 'counter#versions', revision: 4, versions: [version(3, 2)] };
      api.models.database.put('registry', marshall(item));
      api.models.register(registryEntry('counter', { functionVersion: '3' }));
      return getConsistent(id);
    };
    expect(await rollBack({ functionVersion: '1' })).toMatchObject(problem(404));
    expect(await api.models.get('counter')).toMatchObject({ functionVersion: '3' });
  });

  it('are registered later than the replaced version, even if its clock was ahead', async () => {
    const registeredAt = '2099-01-01T00:00:00.000Z';
    api.models.register(registryEntry('counter', { functionVersion: '3', registeredAt }));
    await rollBack({ functionVersion: '1' });
    const after = await api.models.get('counter');
    expect(after).toMatchObject({ registeredAt: '2099-01-01T00:00:00.001Z' });
  });

  it('can be listed by a viewer but activated only by an operator', async () => {
    api.roles = ['viewer'];
    expect(await api.get(`${path}/versions`)).toMatchObject({ status: 200 });
    expect(await rollBack({ functionVersion: '1' })).toMatchObject(problem(403));
    api.roles = ['operator'];
    expect(await rollBack({ functionVersion: '1' })).toMatchObject({ status: 200 });
  });
});
