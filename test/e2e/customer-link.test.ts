import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reached } from '../support/models/milestone-event.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();

describe('the API of the running service', () => {
  it('supports conditional requests and compression through the local API server', async () => {
    const path = instancePath('service-request', 'CONDITIONAL');
    await service.post(reached('CONDITIONAL', 'received', Date.now()));
    await service.eventually(path, () => true);
    const url = `${service.ready.api}${path}`;
    const first = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const tag = first.headers.get('etag')!;
    const again = await fetch(url, { headers: { 'if-none-match': tag }, cache: 'no-store' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const packed = await new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const openapi = `${service.ready.api}/api/openapi.json`;
      request(openapi, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
        expect(response.headers['content-encoding']).toBe('gzip');
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(gunzipSync(packed).toString())).toMatchObject({ openapi: '3.1.0' });
  });

  it('shares an instance with a customer through a link to a page that stays up to date until the link is revoked', async () => {
    await service.post(reached('CUSTOMER-LINK', 'received', Date.now()));
    await service.eventually(instancePath('service-request', 'CUSTOMER-LINK'), () => true);
    const { status, body } = await service.ask<{ url: string }>('/api/links', {
      method: 'POST',
      body: JSON.stringify({ model: 'service-request', transaction: 'CUSTOMER-LINK' }),
    });
    expect(status).toBe(201);
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/track\//);
    const page = async () => (await fetch(body.url)).text();
    expect(await page()).toContain('<bdi>Received</bdi></h1>');
    await service.post(reached('CUSTOMER-LINK', 'verified', Date.now()));
    await service.eventually<{ status: string }>(
      instancePath('service-request', 'CUSTOMER-LINK'),
      (instance) => instance.status === 'Verified',
    );
    expect(await page()).toContain('<bdi>Verified</bdi></h1>');
    expect((await fetch(`${body.url}x`)).status).toBe(404);
    const links = `${instancePath('service-request', 'CUSTOMER-LINK')}/links`;
    const revoked = await service.ask(links, { method: 'DELETE' });
    expect(revoked).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect((await fetch(body.url)).status).toBe(404);
  });
});
