import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { Service } from '../../support/service/service.ts';
import { findBrowser, startBrowser } from '../browser.ts';
import { Visitor } from '../visitor.ts';

/** A service with its operator pages, and a browser to visit them. */
export interface OperatorPages {
  readonly service: Service;
  openWindow(): Promise<Visitor>;
  /** Puts a record on the stream. */
  putBytes(bytes: string | Uint8Array): Promise<unknown>;
  /** Puts a JSON record on the stream. */
  putRecord(record: object): Promise<unknown>;
}

/**
 * Starts an empty service and a browser for the tests of a file, and stops them after the tests. Expects that the pages
 * cause no errors in the console and send no requests to other origins.
 */
export function operatorPages(): OperatorPages {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  const violations: string[] = [];

  beforeAll(async () => {
    const path = findBrowser();
    if (path === undefined)
      throw new Error('chromium, chromium-browser, or google-chrome must be on the PATH');
    [service, browser] = await Promise.all([
      deployedFolder().then((MILEPOST_DATA) => Service.start({ MILEPOST_DATA })),
      startBrowser(path),
    ]);
    context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    expect(violations).toEqual([]);
  });

  const putBytes = (bytes: string | Uint8Array) =>
    service.kinesis.send(
      new PutRecordCommand({
        StreamName: service.ready.stream,
        PartitionKey: 'key',
        Data: Buffer.from(bytes as string),
      }),
    );
  return {
    get service() {
      return service;
    },
    openWindow: () => Visitor.openWindow(context, service.ready.api, violations),
    putBytes,
    putRecord: (record) => putBytes(JSON.stringify(record)),
  };
}

/** Creates an event with the source `test`. */
export const event = (
  modelid: string,
  transactionid: string,
  id: string,
  type: string,
  data = {},
) => ({ id, source: 'test', type, modelid, transactionid, data });

/** Creates an event that reports that a service request reached a milestone now. */
export const milestone = (transaction: string, name: string) =>
  event('service-request', transaction, name, 'milestone.reached', { milestone: name });

/** Creates an event that starts a session. */
export const session = (transaction: string) =>
  event('session', transaction, 's', 'session.started', { token: 't' });
