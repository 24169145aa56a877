import { describe, expect, it } from 'vitest';
import { parseDescription } from '../../../src/core/model/registry-entry.ts';
import { handleModelRequest } from '../../../src/model-runtime/model-handler.ts';
import { EventStreamInMemory } from '../../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../../support/aws-in-memory/notifier-in-memory.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { counter } from '../../support/models/counter-model.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const least = {
  id: 'orders',
  version: 1,
  title: 'Orders',
  statuses: ['Open'],
  milestones: [],
  eventTypes: ['opened'],
};

const refusal = (answer: unknown) => thrownBy(() => parseDescription(answer));

describe('parseDescription', () => {
  it('keeps the fields of a model description and drops all other fields', () => {
    const full = {
      ...least,
      milestones: [
        { id: 'paid', label: 'Paid' },
        { id: 'sent', label: 'Sent', optional: true },
      ],
      diagram: {
        nodes: [{ id: 'Open', label: '' }],
        edges: [{ from: 'Open', to: 'Open', label: 'again' }],
      },
    };
    expect(parseDescription({ ...full, more: 1 })).toEqual(full);
    expect(parseDescription(least)).toEqual(least);
  });

  it('accepts the description that the handler of a model returns', async () => {
    const milestones = [{ id: 'sent', label: 'Sent', optional: true }];
    const clock = new ManualClock();
    const { store, rows } = new InstancesInMemory(clock);
    const environment = {
      model: { ...counter, milestones },
      store,
      rows,
      stream: new EventStreamInMemory(),
      notifier: new NotifierInMemory(),
      clock,
    };
    const answer = await handleModelRequest(environment, { op: 'describe' });
    expect(parseDescription(JSON.parse(JSON.stringify(answer)))).toEqual({
      id: 'counter',
      version: 1,
      title: 'A counter',
      statuses: ['Low', 'High'],
      milestones,
      eventTypes: ['added', 'failed', 'filled'],
    });
  });

  it.each<[what: string, answer: unknown, named: string]>([
    ['undefined', undefined, 'invalid model description'],
    ['null', null, 'invalid model description'],
    ['a string', 'orders', 'invalid model description'],
    ['an id with capital letters', { ...least, id: 'Orders' }, 'id: '],
    ['version 0', { ...least, version: 0 }, 'version: '],
    ['version 1.5', { ...least, version: 1.5 }, 'version: '],
    ['an empty title', { ...least, title: '' }, 'title: '],
    ['statuses that are not a list', { ...least, statuses: 'Open' }, 'statuses: '],
    ['an empty status', { ...least, statuses: ['Open', ''] }, 'statuses.1: '],
    [
      'a milestone without a label',
      { ...least, milestones: [{ id: 'paid' }] },
      'milestones.0.label: ',
    ],
    [
      'a milestone whose `optional` is a number',
      { ...least, milestones: [{ id: 'a', label: 'A', optional: 1 }] },
      'milestones.0.optional: ',
    ],
    ['undefined event types', { ...least, eventTypes: undefined }, 'eventTypes: '],
    ['a diagram without edges', { ...least, diagram: { nodes: [] } }, 'diagram.edges: '],
  ])('rejects %s', (_, answer, named) => {
    expect(refusal(answer)).toMatchObject({
      name: 'MilepostError',
      code: 'bad-model',
      message: expect.stringContaining(named) as string,
    });
  });

  it('rejects a description that is too large to be stored twice in one item of DynamoDB', () => {
    expect(refusal({ ...least, title: 'é'.repeat(97_500) })).toHaveProperty(
      'message',
      'the description of model "orders", which includes its statuses, labels, and diagram, must have at most 194560 bytes as JSON; got 195098',
    );
    expect(parseDescription({ ...least, title: 'é'.repeat(97_000) }).version).toBe(1);
  });

  it('lists every violation', () => {
    const message = expect.stringMatching(/version: .*title: /) as string;
    expect(refusal({ ...least, title: '', version: 'x' })).toMatchObject({ message });
  });
});
