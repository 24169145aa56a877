import { describe, expect, it } from 'vitest';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import { readSettings } from '../../../src/local/settings/settings.ts';

const variables = [
  'MILEPOST_PORT',
  'MILEPOST_KINESIS_PORT',
  'MILEPOST_DYNAMODB_PORT',
  'MILEPOST_LAMBDA_PORT',
  'MILEPOST_EVENTBRIDGE_PORT',
];
const defaults = {
  host: '127.0.0.1',
  ports: { api: 4500, kinesis: 4567, dynamodb: 4568, lambda: 4569 },
  eventBridgePorts: [4570, 0],
  dataFolder: '.milepost',
  models: null,
  webhooks: { urls: [], secret: null },
  demo: false,
};

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('readSettings', () => {
  it('returns defaults for all settings', () => {
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings({ OTHER: 'x', MILEPOST_PORT: undefined })).toEqual(defaults);
  });

  it('reads all variables except MILEPOST_DEMO, which cannot be combined with MILEPOST_MODELS', () => {
    expect(
      readSettings({
        MILEPOST_HOST: '0.0.0.0',
        MILEPOST_PORT: '1',
        MILEPOST_KINESIS_PORT: '2',
        MILEPOST_DYNAMODB_PORT: '3',
        MILEPOST_LAMBDA_PORT: '65535',
        MILEPOST_EVENTBRIDGE_PORT: '4',
        MILEPOST_DATA: 'a folder',
        MILEPOST_MODELS: 'my models',
        MILEPOST_RELOAD: 'off',
        MILEPOST_WEBHOOK: 'https://example.com/hook?a=b',
        MILEPOST_WEBHOOK_SECRET: secret,
      }),
    ).toEqual({
      host: '0.0.0.0',
      ports: { api: 1, kinesis: 2, dynamodb: 3, lambda: 65535 },
      eventBridgePorts: [4],
      dataFolder: 'a folder',
      models: { folder: 'my models', reload: false },
      webhooks: { urls: ['https://example.com/hook?a=b'], secret },
      demo: false,
    });
  });

  it('enables the demo data only if MILEPOST_DEMO is on', () => {
    expect(readSettings({ MILEPOST_DEMO: 'on' }).demo).toBe(true);
    expect(() => readSettings({ MILEPOST_DEMO: 'yes' })).toThrow(
      'MILEPOST_DEMO must be on or off; got "yes"',
    );
  });

  it("rejects the combination of demo data and a user's models", () => {
    expect(() => readSettings({ MILEPOST_DEMO: 'on', MILEPOST_MODELS: 'mine' })).toThrow(
      'the demo data belongs to the shipped models and cannot be used with those in mine; unset MILEPOST_MODELS',
    );
  });

  it.each(['localhost', '192.168.0.7', '::'])('rejects the host %s', (host) => {
    expect(() => readSettings({ MILEPOST_HOST: host })).toThrow(
      `MILEPOST_HOST must be 127.0.0.1 (this machine only) or 0.0.0.0 (all networks); got "${host}"`,
    );
  });

  it('keeps all data in memory if MILEPOST_DATA is empty', () => {
    expect(readSettings({ MILEPOST_DATA: '' }).dataFolder).toBeNull();
  });

  it('selects a free port for EventBridge if another endpoint uses the default port of EventBridge', () => {
    expect(readSettings({ MILEPOST_LAMBDA_PORT: '4570' }).eventBridgePorts).toEqual([0]);
    expect(readSettings({ MILEPOST_EVENTBRIDGE_PORT: '0' }).eventBridgePorts).toEqual([0]);
  });

  it('treats every other empty variable as unset', () => {
    const others = ['HOST', 'MODELS', 'WEBHOOK', 'WEBHOOK_SECRET', 'DEMO', 'RELOAD'];
    expect(
      readSettings(Object.fromEntries(others.map((name) => [`MILEPOST_${name}`, '']))),
    ).toEqual(defaults);
    expect(readSettings({ MILEPOST_MODELS: 'mine', MILEPOST_RELOAD: '' }).models).toEqual({
      folder: 'mine',
      reload: true,
    });
  });

  it('treats an empty port as unset', () => {
    expect(readSettings({ MILEPOST_PORT: '' })).toEqual(defaults);
  });

  it.each(
    variables.flatMap((name) =>
      ['65536', '-1', '80.5', 'http', ' 80', '80 ', '0x50', '1e3', '123456'].map(
        (text) => [name, text] as const,
      ),
    ),
  )('rejects %s=%j', (name, text) => {
    const read = () => readSettings({ [name]: text });
    expect(read).toThrow(StartError);
    expect(read).toThrow(`${name} must be a port from 0 to 65535; got "${text}"`);
  });

  it.each([
    ['', []],
    [' , ', []],
    ['http://a/1', ['http://a/1']],
    ['http://a/1,http://b', ['http://a/1', 'http://b/']],
    [' http://a/1 \n https://b:8443/x , http://a/1,', ['http://a/1', 'https://b:8443/x']],
  ])('reads the webhooks %j', (text, urls) => {
    expect(readSettings({ MILEPOST_WEBHOOK: text }).webhooks.urls).toEqual(urls);
  });

  it.each([
    [
      'localhost:8080/hook',
      /^MILEPOST_WEBHOOK must contain only http or https URLs; got "localhost/,
    ],
    ['http://a /hook', /got "\/hook"$/],
    ['ftp://a/hook', /got "ftp:/],
    ['http://', /got "http:/],
    [
      'http://user:hidden@a/hook',
      /^(?!.*hidden).*must not contain a URL with a user name or password/,
    ],
  ])('rejects the webhook %j with a one-line message', (text, message) => {
    const read = () => readSettings({ MILEPOST_WEBHOOK: text });
    expect(read).toThrow(StartError);
    expect(read).toThrow(message);
  });

  it.each([
    'secret',
    `${secret}=`,
    secret.slice('whsec_'.length),
    'whsec_',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('rejects the secret %j with a message that does not contain the secret', (text) => {
    const read = () => readSettings({ MILEPOST_WEBHOOK_SECRET: text });
    expect(read).toThrow(StartError);
    expect(read).toThrow(
      /^MILEPOST_WEBHOOK_SECRET must be whsec_ followed by 24 to 64 bytes in Base64$/,
    );
  });

  it('rejects the same port for two endpoints unless the port is 0', () => {
    const read = () => readSettings({ MILEPOST_PORT: '5000', MILEPOST_LAMBDA_PORT: '5000' });
    expect(read).toThrow(StartError);
    expect(read).toThrow('two endpoints cannot share port 5000; change one of ');
    expect(() => readSettings({ MILEPOST_PORT: '4567' })).toThrow('port 4567');
    const free = Object.fromEntries(variables.map((name) => [name, '0']));
    expect(readSettings(free).ports).toEqual({ api: 0, kinesis: 0, dynamodb: 0, lambda: 0 });
  });
});
