import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesize } from '../../src/local/template/synthesize.ts';
import { Service } from '../support/service/service.ts';
import { hasPython } from '../support/virtual-environment.ts';
import { putSampleData } from './sample-data.ts';
import { fuzzApi } from './schemathesis.ts';

/** The timeout of a run in milliseconds. Only a run that hangs exceeds it. */
const timeLimit = 1_200_000;

const isHere = hasPython();
const ifNot = isHere ? '' : ' (skipped: requires python3 3.10 or later with venv and pip)';

describe.skipIf(!isHere)(`the HTTP API and its description${ifNot}`, () => {
  let service: Service;
  beforeAll(async () => {
    // Synthesize the template before the tests, because synthesis can exceed the time limit of a test.
    await synthesize(process.env);
    service = await Service.start({ MILEPOST_MODELS: join(import.meta.dirname, 'models') });
    await putSampleData(service);
  }, 240_000);
  afterAll(() => service.stop());

  // Test events last and separately, because random events become dead letters, which every redrive would put back on
  // the stream.
  it.each([
    ['all operations except `POST /api/events`', ['--exclude-path', '/api/events']],
    ['`POST /api/events`', ['--include-path', '/api/events']],
  ])('agree on %s', { timeout: timeLimit }, async (name, operations) => {
    const { status, output, summary } = await fuzzApi(service.ready.api, operations);
    console.log(`${name}: ${summary}`);
    if (status !== 0) throw new Error(`Schemathesis found a difference:\n${output}`);
    expect(output).toMatch(/Coverage[^]*Fuzzing/);
  });
});
