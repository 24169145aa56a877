import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import { findModels } from '../../../src/local/user-models/find-models.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-models-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), '');
  }
}

const reason = async (path = folder) => {
  const error = await findModels(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
};

describe('findModels', () => {
  it('finds all folders with a Lambda function in TypeScript, JavaScript, or Python', async () => {
    await put(
      'b/lambda.js',
      'a/lambda.ts',
      'a/model.ts',
      'shared/money.ts',
      'README.md',
      'c/model.py',
    );
    expect(await findModels(folder)).toEqual([
      { id: 'a', entry: join(folder, 'a', 'lambda.ts') },
      { id: 'b', entry: join(folder, 'b', 'lambda.js') },
      { id: 'c', entry: join(folder, 'c', 'model.py') },
    ]);
  });

  it('suggests a remedy if the folder is missing or contains no model', async () => {
    expect(await reason(join(folder, 'none'))).toMatch(/none does not exist; .*--models/);
    expect(await reason()).toMatch(/contains no models; a model is a folder .* lambda\.ts/);
    await put('parcel.ts');
    expect(await reason()).toMatch(/contains no models/);
    expect(await reason(join(folder, 'parcel.ts'))).toMatch(/cannot be read/);
  });

  it('reports a folder whose name is not a valid id, with the remedy', async () => {
    await put('Parcel_1/lambda.ts');
    expect(await reason()).toMatch(/Parcel_1.*must be a model id, .*; rename the folder/);
  });
});
