import { describe, expect, it } from 'vitest';
import { Notifications } from '../../../lib/index.ts';
import { webhookWarning } from '../../../src/local/running/webhook-warning.ts';
import { readService } from '../../../src/local/template/read-service.ts';
import type { Template } from '../../../src/local/template/template.ts';
import { templateOf } from '../../lib/tracker.ts';

const webhooks = { urls: ['http://127.0.0.1:8080/hook'], secret: null };

/** Reads the service of an app whose tracker has the given destination of notifications. */
const serviceOf = (notifications: Notifications) =>
  readService(
    templateOf({ notifications }, 'orders').toJSON() as Template,
    { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' },
    (key) => `/assets/${key}`,
  );

describe('a local service with webhooks', () => {
  it.each(['toStream', 'none'] as const)(
    'warns that webhooks receive no notifications with Notifications.%s()',
    (destination) => {
      const service = serviceOf(Notifications[destination]());
      expect(webhookWarning(service, webhooks)).toContain(`Notifications.${destination}()`);
    },
  );

  it('does not warn if the app publishes notifications to a bus, or if there are no webhooks', () => {
    expect(webhookWarning(serviceOf(Notifications.toNewBus()), webhooks)).toBeUndefined();
    const silent = serviceOf(Notifications.none());
    expect(webhookWarning(silent, { ...webhooks, urls: [] })).toBeUndefined();
  });
});
