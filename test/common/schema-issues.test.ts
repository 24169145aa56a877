import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { issuesText } from '../../src/common/schema-issues.ts';

const schema = v.object({ milestones: v.array(v.object({ id: v.string('must be a string') })) });

describe('schema issues', () => {
  it('are formatted with the path of each value', () => {
    const { issues = [] } = v.safeParse(schema, {
      milestones: [{ id: 'a' }, { id: 1 }, { id: 2 }],
    });
    expect(issuesText(issues)).toBe(
      'milestones.1.id: must be a string; milestones.2.id: must be a string',
    );
  });

  it('contain the given name if they concern the whole value', () => {
    const issues = [{ message: 'must be an object' }];
    expect(issuesText(issues)).toBe('must be an object');
    expect(issuesText(issues, 'it')).toBe('it: must be an object');
  });

  it('can come from any Standard Schema library, whose paths contain names or objects with a key', () => {
    expect(issuesText([{ message: 'is bad', path: ['a', { key: 0 }, Symbol('s')] }])).toBe(
      'a.0.Symbol(s): is bad',
    );
  });
});
