import { describe, expect, it } from 'vitest';
import type { CustomResourceRequest } from '../../../src/aws/registry/custom-resource.ts';
import {
  type DeployedResource,
  deployCustomResources,
  type InvokeResourceFunction,
} from '../../../src/local/deploy/custom-resources.ts';
import type { CustomResourceDefinition } from '../../../src/local/template/service-definition.ts';

type Request = CustomResourceRequest & { readonly OldResourceProperties?: unknown };

/** The function of the custom resources, which returns the name in a resource's properties as the physical id. */
class Functions {
  readonly requests: (Request & { readonly functionName: string })[] = [];
  /** Returns the response to a request, or undefined for a function that returns without sending a response. */
  answer: (request: Request) => object | undefined = ({ RequestType, ...request }) => ({
    Status: 'SUCCESS',
    PhysicalResourceId:
      RequestType === 'Delete' ? request.PhysicalResourceId : request.ResourceProperties['name'],
  });

  invoke: InvokeResourceFunction = async (functionName, payload) => {
    const request = JSON.parse(payload) as Request;
    this.requests.push({ ...request, functionName });
    const answer = this.answer(request);
    if (answer === undefined) return;
    await this.send(request.ResponseURL, JSON.stringify(answer));
  };

  async send(url: string, body: string): Promise<void> {
    const response = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
    if (!response.ok) throw new Error(`the response was rejected: ${response.status}`);
  }

  get told(): string[] {
    return this.requests.map(
      ({ RequestType, LogicalResourceId }) => `${RequestType} ${LogicalResourceId}`,
    );
  }
}

const wanted = (logicalId: string, name = logicalId.toLowerCase()): CustomResourceDefinition => ({
  logicalId,
  type: 'Custom::Model',
  functionName: 'registrar',
  properties: { name },
});
const deployed = (logicalId: string, name?: string): DeployedResource => {
  const resource = wanted(logicalId, name);
  return { ...resource, physicalId: String(resource.properties['name']) };
};

describe('deployCustomResources', () => {
  it('creates new resources', async () => {
    const functions = new Functions();
    const now = await deployCustomResources(functions.invoke, [wanted('A'), wanted('B')], []);
    expect(now).toEqual([deployed('A'), deployed('B')]);
    expect(functions.told).toEqual(['Create A', 'Create B']);
    const [request] = functions.requests;
    expect(request).toMatchObject({
      functionName: 'registrar',
      ResourceType: 'Custom::Model',
      ResourceProperties: { name: 'a' },
      StackId: expect.stringMatching(/^arn:aws:cloudformation:/),
      RequestId: expect.any(String),
    });
    expect(request).not.toHaveProperty('PhysicalResourceId');
    expect(request).not.toHaveProperty('OldResourceProperties');
  });

  it('updates changed resources with their new and old properties', async () => {
    const functions = new Functions();
    const before = { ...deployed('A'), properties: { name: 'a', old: true } };
    expect(await deployCustomResources(functions.invoke, [wanted('A')], [before])).toEqual([
      deployed('A'),
    ]);
    expect(functions.requests).toMatchObject([
      {
        RequestType: 'Update',
        PhysicalResourceId: 'a',
        ResourceProperties: { name: 'a' },
        OldResourceProperties: { name: 'a', old: true },
      },
    ]);
  });

  it('deletes removed resources after all other resources are deployed', async () => {
    const functions = new Functions();
    const before = [deployed('A'), deployed('B')];
    expect(
      await deployCustomResources(functions.invoke, [wanted('B'), wanted('C')], before),
    ).toEqual([deployed('B'), deployed('C')]);
    expect(functions.told).toEqual(['Create C', 'Delete A']);
    expect(functions.requests.at(-1)).toMatchObject({
      PhysicalResourceId: 'a',
      ResourceProperties: { name: 'a' },
    });
  });

  it('deletes at most two resources at the same time', async () => {
    const functions = new Functions();
    let running = 0;
    let most = 0;
    const invoke: InvokeResourceFunction = async (...request) => {
      most = Math.max(most, ++running);
      await functions.invoke(...request);
      running--;
    };
    const before = ['A', 'B', 'C', 'D', 'E'].map((logicalId) => deployed(logicalId));
    expect(await deployCustomResources(invoke, [], before)).toEqual([]);
    expect(functions.told).toHaveLength(5);
    expect(most).toBe(2);
  });

  it('skips unchanged resources unless the result of their latest request is unknown', async () => {
    const functions = new Functions();
    const before = [deployed('A'), { ...deployed('B'), unsettled: true }, deployed('C')];
    const changed = { ...wanted('C'), functionName: 'another' };
    const now = [wanted('A'), wanted('B'), changed];
    expect(await deployCustomResources(functions.invoke, now, before)).toEqual([
      deployed('A'),
      deployed('B'),
      { ...deployed('C'), functionName: 'another' },
    ]);
    expect(functions.told).toEqual(['Update B', 'Update C']);
  });

  it('deletes resources that an update replaced', async () => {
    const functions = new Functions();
    const now = await deployCustomResources(
      functions.invoke,
      [wanted('A', 'new')],
      [deployed('A', 'old')],
    );
    expect(now).toEqual([deployed('A', 'new')]);
    expect(functions.told).toEqual(['Update A', 'Delete A']);
    expect(functions.requests[1]).toMatchObject({
      PhysicalResourceId: 'old',
      ResourceProperties: { name: 'old' },
    });
  });

  it('deletes a resource through the current function of its resource type or, if no resource of the type is left, through its earlier function', async () => {
    const functions = new Functions();
    const before = { ...deployed('A'), functionName: 'registrar-of-old' };
    await deployCustomResources(functions.invoke, [wanted('B')], [before]);
    expect(functions.requests.map(({ functionName }) => functionName)).toEqual([
      'registrar',
      'registrar',
    ]);
    await deployCustomResources(functions.invoke, [], [before]);
    expect(functions.requests.at(-1)?.functionName).toBe('registrar-of-old');
  });

  it('sends no requests if there are no resources', async () => {
    const functions = new Functions();
    expect(await deployCustomResources(functions.invoke, [], [])).toEqual([]);
    expect(functions.requests).toEqual([]);
  });

  it.each<[what: string, answer: object | string | undefined, reason: string]>([
    ['reports a reason', { Status: 'FAILED', Reason: 'no such table' }, 'B: no such table'],
    ['reports no reason', { Status: 'FAILED' }, 'B: failed without a reason'],
    [
      'returns without a response',
      undefined,
      'B: its function returned without sending a response',
    ],
    ['responds with invalid JSON', 'oops', 'B: '],
  ])('fails with an explanation if the function of a resource %s', async (_, answer, reason) => {
    const functions = new Functions();
    const invoke: InvokeResourceFunction = async (functionName, payload) => {
      const { LogicalResourceId, ResponseURL } = JSON.parse(payload) as Request;
      if (LogicalResourceId !== 'B') return functions.invoke(functionName, payload);
      if (answer === undefined) return;
      await functions.send(
        ResponseURL,
        typeof answer === 'string' ? answer : JSON.stringify(answer),
      );
    };
    await expect(deployCustomResources(invoke, [wanted('A'), wanted('B')], [])).rejects.toThrow(
      reason,
    );
  });

  it('fails if the function of a resource fails', async () => {
    const failing: InvokeResourceFunction = () =>
      Promise.reject(new Error('registrar failed: a bug'));
    await expect(deployCustomResources(failing, [wanted('A')], [])).rejects.toThrow('a bug');
  });
});
