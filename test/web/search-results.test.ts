import { expect, it } from 'vitest';
import { eventResults, resultsOf } from '../../web/pure/search-results.ts';

const instance = (transaction: string) => ({
  model: 'claim',
  modelVersion: 1,
  transaction,
  version: 1,
  status: 'Open',
  done: false,
  progress: null,
  startedAt: null,
  updatedAt: '2026-01-05T09:00:00.000Z',
  statusSince: '2026-01-05T09:00:00.000Z',
  parked: 0,
  keys: [],
});
const letter = (id: string, parked: boolean) => ({
  id,
  reason: 'not JSON',
  at: '2026-01-05T09:00:00.000Z',
  modelId: parked ? 'claim' : null,
  transactionId: parked ? 'C/1' : null,
  eventId: null,
  parked,
});
const model = (id: string, title: string) => ({
  id,
  title,
  version: 1,
  statuses: [],
  milestones: [],
  functionArn: '',
});

it('each search result links to the page that shows it', () => {
  const results = resultsOf(
    'C',
    {
      instances: [instance('C/1')],
      byKey: [instance('D')],
      deadLetters: [letter('l1', false), letter('l2', true)],
    },
    [model('claim', 'Warranty claim'), model('order', 'Order')],
  );
  expect(results).toEqual([
    {
      kind: 'Instance',
      text: 'C/1',
      detail: 'Warranty claim · Open',
      href: '/instances/claim/C%2F1',
    },
    {
      kind: 'Business key',
      text: 'D',
      detail: 'Warranty claim · Open',
      href: '/instances/claim/D',
    },
    { kind: 'Model', text: 'Warranty claim', detail: 'claim', href: '/models/claim' },
    { kind: 'Dead letter', text: 'l1', detail: 'not JSON', href: '/dead-letters?q=l1' },
    { kind: 'Parked event', text: 'l2', detail: 'not JSON', href: '/instances/claim/C%2F1' },
  ]);
});

it('a rejected record links to the dead letters, even if it names an instance', () => {
  const rejected = { ...letter('l3', true), parked: false };
  const found = { instances: [], byKey: [], deadLetters: [rejected] };
  expect(resultsOf('C', found, []).map(({ href }) => href)).toEqual(['/dead-letters?q=l3']);
});

it('an instance of a model that was removed is described by the id of the model', () => {
  const found = { instances: [instance('C/1')], byKey: [], deadLetters: [] };
  expect(resultsOf('C', found, []).map(({ detail }) => detail)).toEqual(['claim · Open']);
});

it('models are found by a part of their id or title, ignoring case', () => {
  const models = [model('claim', 'Warranty CLAIM'), model('order', 'Order')];
  const found = { instances: [], byKey: [], deadLetters: [] };
  const texts = (text: string) => resultsOf(text, found, models).map(({ text: title }) => title);
  expect(texts('Claim')).toEqual(['Warranty CLAIM']);
  expect(texts('warranty c')).toEqual(['Warranty CLAIM']);
  expect(texts('ORD')).toEqual(['Order']);
});

it('a search result for an event links to the instance version that contains the event', () => {
  const event = { model: 'claim', transaction: 'C', version: 3, id: 'e1', type: 'opened' };
  const found = { events: [{ ...event, source: 's', time: '2026-01-05T09:00:00.000Z' }] };
  expect(eventResults(found)).toEqual([
    {
      kind: 'Event',
      text: 'e1',
      detail: 'opened of C, version 3',
      href: '/instances/claim/C?version=3',
    },
  ]);
});
