import { describe, expect, it } from 'vitest';
import { readSettings, StartError } from '../../src/local/settings.ts';

const variables = [
  'MILEPOST_PORT',
  'MILEPOST_KINESIS_PORT',
  'MILEPOST_DYNAMODB_PORT',
  'MILEPOST_LAMBDA_PORT',
];
const defaults = {
  ports: { api: 4500, kinesis: 4567, dynamodb: 4568, lambda: 4569 },
  dataFolder: '.milepost',
};

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings({ OTHER: 'x', MILEPOST_PORT: undefined })).toEqual(defaults);
  });

  it('reads every variable', () => {
    expect(
      readSettings({
        MILEPOST_PORT: '1',
        MILEPOST_KINESIS_PORT: '2',
        MILEPOST_DYNAMODB_PORT: '3',
        MILEPOST_LAMBDA_PORT: '65535',
        MILEPOST_DATA: 'a folder',
      }),
    ).toEqual({
      ports: { api: 1, kinesis: 2, dynamodb: 3, lambda: 65535 },
      dataFolder: 'a folder',
    });
  });

  it('keeps everything in memory with an empty data folder', () => {
    expect(readSettings({ MILEPOST_DATA: '' }).dataFolder).toBeNull();
  });

  it('takes an empty port as one that is not set', () => {
    expect(readSettings({ MILEPOST_PORT: '' })).toEqual(defaults);
  });

  it.each(
    variables.flatMap((name) =>
      ['65536', '-1', '80.5', 'http', ' 80', '80 ', '0x50', '1e3', '123456'].map((text) => ({
        name,
        text,
      })),
    ),
  )('refuses $name=$text', ({ name, text }) => {
    const read = () => readSettings({ [name]: text });
    expect(read).toThrow(StartError);
    expect(read).toThrow(`${name} must be a port, 0 to 65535, and is "${text}"`);
  });

  it('refuses one port for two endpoints, but 0 for any number', () => {
    const read = () => readSettings({ MILEPOST_PORT: '5000', MILEPOST_LAMBDA_PORT: '5000' });
    expect(read).toThrow(StartError);
    expect(read).toThrow('port 5000 is set for two endpoints');
    expect(() => readSettings({ MILEPOST_PORT: '4567' })).toThrow('port 4567');
    const free = Object.fromEntries(variables.map((name) => [name, '0']));
    expect(readSettings(free).ports).toEqual({ api: 0, kinesis: 0, dynamodb: 0, lambda: 0 });
  });
});
