import { describe, expect, it } from 'vitest';
import { pathTaken } from '../../web/pure/path-taken.ts';

const diagram = {
  nodes: ['New', 'Waiting', 'Active', 'Suspended'].map((id) => ({ id, label: id })),
  edges: [
    { from: 'New', to: 'Waiting', label: 'activation requested' },
    { from: 'Waiting', to: 'Waiting', label: 'token wrong' },
    { from: 'Waiting', to: 'Active', label: 'token right' },
    { from: 'Active', to: 'Active', label: 'entitlement requested' },
    { from: 'Active', to: 'Suspended', label: 'expired' },
  ],
};
const step = (type: string, status: string, outcome: 'applied' | 'rejected' = 'applied') => ({
  event: { type },
  status,
  outcome,
});
const taken = (trace: ReturnType<typeof pathTaken>) =>
  trace.edges.filter((edge) => edge.taken).map(({ from, to, label }) => `${from} ${to} ${label}`);

describe('pathTaken', () => {
  it("follows the edges between statuses, and a loop with the event's label", () => {
    const trace = pathTaken(diagram, [
      step('account.created', 'New'),
      step('activation.requested', 'Waiting'),
      step('entitlement.requested', 'Active'),
      step('entitlement.requested', 'Active'),
    ]);
    expect(taken(trace)).toEqual([
      'New Waiting activation requested',
      'Waiting Active token right',
      'Active Active entitlement requested',
    ]);
    expect(trace.nodes.filter(({ been }) => been).map(({ id }) => id)).toEqual([
      'New',
      'Waiting',
      'Active',
    ]);
    expect(trace.present).toBe('Active');
  });

  it('starts at the first node and ignores rejected events', () => {
    const trace = pathTaken(diagram, [
      step('activation.requested', 'Waiting'),
      step('nonsense', 'Suspended', 'rejected'),
    ]);
    expect(taken(trace)).toEqual(['New Waiting activation requested']);
    expect(trace.nodes.filter(({ been }) => been).map(({ id }) => id)).toEqual(['New', 'Waiting']);
    expect(trace.present).toBe('Waiting');
  });

  it('prefers an edge whose label is the event type, ignoring case', () => {
    const edges = ['done', 'A.b [guard]', 'x'].map((label) => ({ from: 'p', to: 'q', label }));
    const nodes = ['p', 'q'].map((id) => ({ id, label: id }));
    const trace = pathTaken({ nodes, edges }, [step('a.b', 'p'), step('a.b', 'q')]);
    expect(taken(trace)).toEqual(['p q A.b [guard]']);
  });

  it('adds transitions that are missing from the diagram', () => {
    const away = pathTaken(diagram, [step('a', 'Active'), step('account.moved', 'Elsewhere')]);
    expect(taken(away)).toEqual(['Active Elsewhere account moved']);
    expect(away.nodes.at(-1)).toEqual({ id: 'Elsewhere', label: 'Elsewhere', been: true });
    const alone = pathTaken(null, [step('a', 'One'), step('b', 'Two'), step('c', 'Two')]);
    expect(taken(alone)).toEqual(['One Two b']);
  });

  it('returns an empty path before the first event', () => {
    const trace = pathTaken(diagram, []);
    expect(taken(trace)).toEqual([]);
    expect(trace.present).toBeUndefined();
    expect(trace.edges).toHaveLength(diagram.edges.length);
  });
});
