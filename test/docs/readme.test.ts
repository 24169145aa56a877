import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsVersion } from '../support/aws-command-line.ts';
import { fencesOf, placeOf, readPages } from '../support/docs/markdown.ts';
import { filesIn, firstGuides, readme, writeShownFiles } from '../support/docs/readme.ts';
import { commandsOf, Reader } from '../support/service/reader.ts';

const pagesInOrder = [readme, ...firstGuides];
const shownFiles = pagesInOrder.flatMap(filesIn);

/** Returns the commands in `sh` blocks. A command is a line with its continuation lines. */
const commands = pagesInOrder.flatMap((page) =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) => commandsOf(block!)),
);

// Commands that .ci/run runs in a clean clone, and commands that need an AWS account.
const runElsewhere = [
  'npm ci && npm start',
  'npm ci && npm test',
  'npm run demo',
  'npx cdk synth',
  'npx cdk bootstrap',
  'npx cdk deploy',
];

let reader: Reader;

beforeAll(async () => {
  reader = await Reader.open();
  await writeShownFiles(reader.copy, shownFiles);
  await reader.start();
}, 300_000);

afterAll(async () => {
  expect(await reader.stop()).toEqual([0, null]);
  await reader.close();
});

describe('the README and the first guides', () => {
  it('show exactly the expected files, each with its path', () => {
    expect(shownFiles.map(({ path }) => path)).toEqual([
      'models/order/lambda.ts',
      'models/parcel/model.ts',
      'models/parcel/lambda.ts',
      'test/models/parcel.test.ts',
      'events.ndjson',
    ]);
  });

  it('show a ready line with the fields that npm start prints', () => {
    const shown = /^```json\n(.*?)^```/ms.exec(readme)?.[1] ?? '';
    expect(Object.keys(JSON.parse(shown) as object)).toEqual(Object.keys(reader.ready));
  });

  // Skip `export` commands, because the reader's environment already contains their variables.
  const here = commands.filter(
    (command) => !runElsewhere.includes(command) && !command.startsWith('export '),
  );
  it('contain commands, including every command that this test skips', () => {
    expect(commands).toEqual(expect.arrayContaining(runElsewhere));
    expect(here.length).toBeGreaterThan(15);
  });

  it.each(here.filter((command) => awsVersion !== undefined || !/\baws kinesis /.test(command)))(
    'contain a command that succeeds: %s',
    async (command) => {
      expect(await reader.output(command)).not.toBe('');
    },
    60_000,
  );

  it('result in an active device, a paid order, a packed parcel, and a parcel on its way', async () => {
    expect(await reader.output('npx milepost status activation ATV-123')).toMatch(/Active/);
    expect(await reader.output('npx milepost status order O-1')).toMatch(/Paid/);
    expect(await reader.output('npx milepost status parcel P-1')).toMatch(/Packed/);
    expect(await reader.output('npx milepost status parcel P-2', /On its way/)).toMatch(
      /On its way/,
    );
  });
});

const pages = await readPages();
const readmesOfModels = pages.filter(({ path }) => /^models\/[^/]+\/README\.md$/.test(path));
const tried = readmesOfModels
  .flatMap(fencesOf)
  .filter(({ language }) => language === 'sh')
  .flatMap((fence) => commandsOf(fence.code).map((command) => [placeOf(fence), command] as const));

describe('the READMEs of the shipped models', () => {
  it('contain commands to try each model', () => {
    const without = readmesOfModels.filter(
      (page) => !page.text.includes('```sh\nnpx milepost put '),
    );
    expect(without.map(({ path }) => path)).toEqual([]);
    expect(tried.length).toBeGreaterThan(10);
  });

  it.each(tried)(
    'contain a command that succeeds: %s: %s',
    async (_, command) => {
      expect(await reader.output(command)).not.toBe('');
    },
    60_000,
  );
});
