import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readService } from '../../../src/local/template/read-service.ts';
import type { Template as Synthesized } from '../../../src/local/template/template.ts';
import { entry, newTracker, templateOf } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' };
const plain = readService(
  templateOf({}, 'orders').toJSON() as Synthesized,
  place,
  (key) => `/assets/${key}`,
);

describe('readService with features that exist only in AWS', () => {
  it('reports nothing for a default app', () => {
    expect(plain.unsupported).toEqual([]);
    expect(plain.busRules).toEqual([]);
  });

  it('reports and omits the archive but keeps the other resources', () => {
    const { stack, tracker } = newTracker({ archive: true });
    tracker.addModel('orders', { entry });
    const archived = readService(
      Template.fromStack(stack).toJSON() as Synthesized,
      place,
      (key) => `/assets/${key}`,
    );
    expect(archived.unsupported).toEqual([
      expect.stringMatching(/^The archive exists only in AWS\. /),
    ]);
    expect(archived.eventSources).toHaveLength(2);
    expect(archived.tables).toHaveLength(plain.tables.length);
    expect(archived.functions.some(({ name }) => name.includes('Archiver'))).toBe(true);
  });
});
