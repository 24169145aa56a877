import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { devNull, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { ReadyLine } from '../../src/local/stack.ts';
import { copyOfProject } from '../support/docs/copy-of-project.ts';
import { shippedModels, shownFiles, writeShownFiles } from '../support/docs/readme.ts';
import { freePorts, instancePath } from '../support/service/service.ts';
import { readContainer } from './support/dockerfile.ts';
import { LocalProject } from './support/local-project.ts';
import { run, succeed, userEnvironment } from './support/user-project.ts';

const root = join(import.meta.dirname, '..', '..');
let folders: string;
let tarball: string;
let project: string;

/** The packages that users install in addition to Milepost. */
const others = [
  'aws-cdk-lib@^2.276.0',
  'constructs@^10.8.1',
  'aws-cdk@2.1148.1',
  'typescript@^7.0.2',
  'vitest@^4.1.12',
  'xstate@^5.33.3',
];

/** The script that runs a development tool, such as publint. */
const tool = join('scripts', 'tool.ts');
/** The folders to publish in a dry run: npm reports mistakes in the package.json of a folder, but not of a tarball. */
const packages: Readonly<Record<string, () => string>> = {
  milepost: () => join(project, 'node_modules', 'milepost'),
  'create-milepost': () => join(root, 'create-milepost'),
};
/** Warnings that concern this machine and not the package. */
const ofMachine = /Unknown .* config|requires you to be logged in/;
/** Options with an unreachable registry, because npm rejects a version that the real registry already contains. */
const noRegistry = ['--registry', 'http://127.0.0.1:1', '--fetch-retries', '0'];

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'milepost-package-'));
  const copy = await copyOfProject();
  try {
    const textsOf = () =>
      Promise.all(['package.json', 'README.md'].map((path) => readFile(join(copy, path), 'utf8')));
    const before = await textsOf();
    await succeed(copy, 'npm', 'pack', '--silent', '--pack-destination', folders);
    expect(await textsOf()).toEqual(before);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  const [name] = await readdir(folders);
  tarball = join(folders, name!);
  project = join(folders, 'project');
  await mkdir(project);
  await succeed(project, 'npm', 'init', '-y');
  await succeed(project, 'npm', 'install', '--prefer-offline', tarball, ...others);
  await writeShownFiles(project, shownFiles);
}, 400_000);

afterAll(() => rm(folders, { recursive: true, force: true }));

describe('the npm package', () => {
  it('contains no sources, no tests, and no paths of the machine that built it', async () => {
    const installed = join(project, 'node_modules', 'milepost');
    const files = await readdir(installed, { recursive: true });
    const ours = files.filter((path) => !path.startsWith(join('create-milepost', 'templates')));
    const unwanted = /(?<!\.d)\.[cm]?tsx?$|\.map$|(^|\/)(test|bench)\//;
    expect(ours.filter((path) => unwanted.test(path))).toEqual([]);
    const texts = files.filter((path) => /\.(c?js|mjs|json|d\.ts)$/.test(path));
    const here = await Promise.all(
      texts.map(async (path) =>
        (await readFile(join(installed, path), 'utf8')).includes(process.cwd()),
      ),
    );
    expect(texts.filter((_, index) => here[index])).toEqual([]);
  });

  it('contains its changelog, and licenses of dependencies of the pages, the Lambda functions, and the local endpoints', async () => {
    const installed = join(project, 'node_modules', 'milepost');
    expect(await readFile(join(installed, 'CHANGELOG.md'), 'utf8')).toContain('# Changelog');
    const licenses = await readFile(join(installed, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const [, ...sections] = licenses.split(/\n-{80}\n/);
    const [names, texts] = [0, 1].map((part) =>
      sections.map((section) => section.split(/\n\n(.*)/s)[part]!.trim()),
    );
    expect(texts!.filter((text) => !/licen[cs]e|permission/i.test(text))).toEqual([]);
    expect(licenses).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
    // One dependency each of the pages, the Lambda functions, and the local endpoints.
    for (const name of ['preact', 'hono', 'kinesalite'])
      expect(names!.join('\n')).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('contains the runbooks that alarms name', async () => {
    const runbooks = join(project, 'node_modules', 'milepost', 'docs', 'how-to');
    expect(await readFile(join(runbooks, 'respond-to-alarms.md'), 'utf8')).toContain('## Alarms');
  });

  it('contains every file that its pages link to', async () => {
    const installed = join(project, 'node_modules', 'milepost');
    const files = await readdir(installed, { recursive: true });
    const pages = files.filter((path) => path.endsWith('.md'));
    const dead = await Promise.all(
      pages.map(async (page) => {
        const text = await readFile(join(installed, page), 'utf8');
        return [...text.matchAll(/\]\((?!#|[a-z]+:)([^)#\s]+)/g)]
          .map(([, target]) => join(page, '..', target!))
          .filter((path) => !existsSync(join(installed, path)))
          .map((path) => `${page}: ${path}`);
      }),
    );
    expect(pages.length).toBeGreaterThan(50);
    expect(dead.flat()).toEqual([]);
  });

  it.each(['milepost', 'create-milepost'])('passes publint: %s', async (name) => {
    const publint = ['publint', packages[name]!(), '--strict'];
    const said = await succeed(root, process.execPath, tool, ...publint);
    expect(said).toContain('All good!');
  });

  // The package contains only ES modules. Since Node.js 20.19, `require` can load them. Resolution that ignores
  // `exports`, as in Node.js 10, finds no entry point.
  it('has types that every module resolution for ES modules finds', async () => {
    const attw = ['attw', tarball, '--profile', 'esm-only'];
    const said = await succeed(root, process.execPath, tool, ...attw);
    for (const entry of Object.keys(manifest.exports))
      expect(said).toContain(`"${entry.replace('.', 'milepost')}"`);
  });

  it.each(['milepost', 'create-milepost'])(
    'can be published without warnings: %s',
    async (name) => {
      const publish = ['publish', '--dry-run', ...noRegistry, packages[name]!()];
      const { status, stdout, stderr } = await run(project, 'npm', ...publish);
      const problems = stderr.split('\n').filter((line) => /^npm (?:warn|error)/.test(line));
      expect(problems.filter((line) => !ofMachine.test(line))).toEqual([]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: `+ ${name}@${manifest.version}\n` });
    },
  );

  it.each(['nodenext', 'bundler'])(
    'provides types to check a project and to emit its declarations with the `moduleResolution` %s',
    async (way) => {
      await writeFile(join(project, 'uses.ts'), uses);
      const module = way === 'bundler' ? 'esnext' : 'nodenext';
      const options = ['--moduleResolution', way, '--module', module, '--target', 'esnext'];
      const output = ['--declaration', '--emitDeclarationOnly', '--outDir', 'declarations'];
      const checks = [...output, '--strict', '--allowImportingTsExtensions', '--types', ''];
      // Only one resolution is checked without `skipLibCheck`, because checking the CDK's declarations is slow. These
      // declarations also contain errors with `exactOptionalPropertyTypes`.
      if (way === 'bundler') checks.push('--skipLibCheck', '--exactOptionalPropertyTypes');
      expect(await succeed(project, 'npx', 'tsc', ...checks, ...options, 'uses.ts')).toBe('');
    },
  );

  it("can be imported by the machine's own Node.js version", async () => {
    const code = `import { defineModel, defineProcess, serve } from 'milepost';
      import { ProcessTracker } from 'milepost/cdk';
      import { given } from 'milepost/testing';
      import { fromMachine } from 'milepost/xstate';
      const all = [defineModel, defineProcess, serve, ProcessTracker, given, fromMachine];
      const order = defineProcess({ id: 'order', milestones: [{ id: 'paid', label: 'Paid', on: 'paid' }] });
      given(order).when({ type: 'paid' }).then(({ status }) => console.log(status));
      console.log(all.map((each) => typeof each).join());`;
    const said = await succeed(project, 'node', '--input-type=module', '-e', code);
    expect(said).toBe('Paid\nfunction,function,function,function,function,function\n');
  });
});

interface Models {
  readonly models: readonly { readonly title: string }[];
}

const uses = `
import { accept, defineModel, defineProcess, serve, type Decision } from 'milepost';
import { ProcessTracker, type ModelProps } from 'milepost/cdk';
import { given } from 'milepost/testing';
import { fromMachine } from 'milepost/xstate';
import { App, Stack } from 'aws-cdk-lib';
import { setup } from 'xstate';

export const order = defineProcess({
  id: 'order',
  milestones: [{ id: 'paid', label: 'Paid', on: 'order.paid', expectedWithin: 'PT1H' }],
});
given(order).when({ type: 'order.paid' }).then(({ status }) => status.toUpperCase());
export const handler = serve(order);

export const counter = defineModel({
  id: 'counter',
  title: 'A counter',
  statuses: ['Counting'],
  milestones: [],
  events: {},
  initial: () => 0,
  transition: (_event, count): Decision<number> => accept(count + 1),
  // @ts-expect-error -- a status is not a number
  describe: (count) => ({ status: count, done: false, milestones: [] }),
});
interface Loan {
  readonly approved?: string | undefined;
}
export const loan = defineModel({
  id: 'loan',
  title: 'A loan',
  statuses: ['Open', 'Approved'],
  milestones: [{ id: 'approved', label: 'Approved' }],
  events: {},
  initial: (): Loan => ({}),
  transition: (_event, loan) => accept(loan),
  describe: ({ approved }) => ({
    status: approved ? 'Approved' : 'Open',
    milestones: [{ id: 'approved', at: approved }],
  }),
});
export const machine = fromMachine(setup({}).createMachine({ id: 'lamp', initial: 'on', states: { on: {} } }));

const props: ModelProps = { entry: 'models/parcel/lambda.ts' };
new ProcessTracker(new Stack(new App(), 'S'), 'Tracker', { customerPages: true }).addModel('parcel', props);
`;

describe('npx cdk synth', () => {
  it('creates a template with the functions and their bundles', async () => {
    await writeFile(
      join(project, 'app.mjs'),
      `import { App, Stack } from 'aws-cdk-lib';
       import { ProcessTracker } from 'milepost/cdk';
       const stack = new Stack(new App(), 'Parcels');
       new ProcessTracker(stack, 'Tracker').addModel('parcel', { entry: 'models/parcel/lambda.ts' });`,
    );
    await writeFile(join(project, 'cdk.json'), '{ "app": "node app.mjs" }');
    const template = await succeed(project, 'npx', 'cdk', 'synth', '--json');
    const { Resources } = JSON.parse(template) as { Resources: Record<string, { Type: string }> };
    const types = Object.values(Resources).map(({ Type }) => Type);
    expect(types).toContain('Custom::MilepostModel');
    const assets = await readdir(join(project, 'cdk.out'), { recursive: true });
    const bundles = assets.filter((path) => path.endsWith('index.mjs'));
    // The model's function and all of Milepost's functions except the archiver and the customer pages.
    expect(bundles).toHaveLength(9);
  });
});

describe('npx milepost local', () => {
  it('runs the models of a folder and stops on a signal', async () => {
    const service = await LocalProject.start(project, '--models', './models', '--no-reload');
    await service.post({
      type: 'parcel.packed',
      modelid: 'parcel',
      transactionid: 'P-1',
      id: 'e1',
    });
    const parcel = await service.eventually<{ status?: string }>(
      instancePath('parcel', 'P-1'),
      ({ status }) => status !== undefined,
    );
    expect(parcel.status).toBe('Packed');
    const page = await fetch(service.ready.api);
    expect(await page.text()).toContain('/assets/main-');
    const command = ['milepost', '--api', service.ready.api, 'status', 'parcel', 'P-1'];
    expect(await succeed(project, 'npx', ...command)).toContain('Packed');
    expect(await service.stop()).toEqual({ status: 0, stderr: expect.any(String) });
  });

  it('stops when the npm process that started it stops', async () => {
    const npm = spawn('npx', ['milepost', 'local'], {
      cwd: project,
      env: userEnvironment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface({ input: npm.stdout }), 'line')) as [string];
    const { api } = JSON.parse(line) as ReadyLine;
    expect((await fetch(`${api}/api/health`)).ok).toBe(true);
    npm.kill('SIGTERM');
    await vi.waitFor(() => expect(fetch(`${api}/api/health`)).rejects.toThrow('fetch failed'), {
      timeout: 30_000,
      interval: 250,
    });
  });

  it('reloads a saved model and keeps the previous code while the new code is invalid', async () => {
    await cp(join(project, 'models'), join(project, 'saved'), { recursive: true });
    const file = join(project, 'saved', 'parcel', 'model.ts');
    const text = await readFile(file, 'utf8');
    const service = await LocalProject.start(project, '--models', 'saved');
    const titled = (title: string) =>
      service.eventually<Models>('/api/models', ({ models }) => models[0]?.title === title);

    await writeFile(
      file,
      text.replaceAll('On its way', 'Under way').replace('A parcel', 'My parcel'),
    );
    await titled('My parcel on its way');
    const sent = { modelid: 'parcel', transactionid: 'P-2' };
    await service.post({
      ...sent,
      id: 'e1',
      type: 'parcel.handed-over',
      data: { carrier: 'ACME' },
    });
    await service.eventually(instancePath('parcel', 'P-2'), ({ status }) => status === 'Under way');

    await writeFile(file, text.replace('status,\n', 'status: 7,\n const'));
    await service.said(
      /the model parcel does not compile: .*model\.ts:\d+:\d+: .*; the previous code stays in use/,
    );
    await writeFile(file, text.replace("id: 'parcel'", "id: 'letter'"));
    await service.said(
      /the folder parcel contains the model "letter".*; the previous code stays in use/,
    );
    await service.post({ ...sent, id: 'e2', type: 'parcel.delivered' });
    await service.eventually(instancePath('parcel', 'P-2'), ({ status }) => status === 'Delivered');
    await writeFile(file, text);
    await titled('A parcel on its way');
    expect((await service.stop()).status).toBe(0);
  });

  it('reports invalid models in one line', async () => {
    const said = async (...args: string[]) => {
      const { status, stderr } = await run(project, 'npx', 'milepost', 'local', ...args);
      expect(status).toBe(1);
      return stderr.split('\n').filter((line) => !/^npm |^$|is starting/.test(line));
    };
    await mkdir(join(project, 'none'), { recursive: true });
    await cp(join(project, 'models', 'parcel'), join(project, 'renamed', 'letter'), {
      recursive: true,
    });
    expect(await said('--models', 'nowhere')).toEqual([
      expect.stringContaining('nowhere does not exist'),
    ]);
    expect(await said('--models', 'none')).toEqual([
      expect.stringContaining('none contains no models'),
    ]);
    expect(await said('--models', 'renamed')).toEqual([
      expect.stringContaining('the folder letter contains the model "parcel"'),
    ]);
  });
});

describe('npx milepost init', () => {
  it('runs through the create-milepost package', async () => {
    const source = join(root, 'create-milepost');
    await succeed(source, 'npm', 'pack', '--silent', '--pack-destination', project);
    const create = join(project, 'create-milepost-0.1.0.tgz');
    await succeed(project, 'npm', 'install', '--no-save', '--prefer-offline', create);
    await succeed(project, 'npx', 'create-milepost', '../created');
    const manifest = await readFile(join(folders, 'created', 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({
      name: 'created',
      dependencies: { milepost: 'file:../milepost-0.1.0.tgz' },
    });
  });

  it('creates a project whose tests pass and whose app can be synthesized', async () => {
    const said = await succeed(project, 'npx', 'milepost', 'init', '../parcels');
    expect(said.trim().split('\n')).toHaveLength(3);
    const made = join(folders, 'parcels');
    await succeed(made, 'npm', 'install', '--prefer-offline');
    expect(await succeed(made, 'npm', 'test')).toMatch(/Tests {2}2 passed/);
    await succeed(made, 'npx', 'cdk', 'synth', '--quiet');
    const assets = await readdir(join(made, 'cdk.out'), { recursive: true });
    expect(assets.filter((path) => path.endsWith('index.mjs'))).toHaveLength(9);

    const again = await run(project, 'npx', 'milepost', 'init', '../parcels');
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists') });

    const service = await LocalProject.start(made);
    const { body } = await service.ask<Models>('/api/models');
    expect(body.models).toHaveLength(1);
    expect((await service.stop()).status).toBe(0);
  });
});

// The test runs the instructions of the Dockerfile itself, because it cannot download the base image.
describe('the container image', () => {
  /** Sends a request with the host name that another container uses. */
  const ask = (url: URL, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(url, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });

  it('runs the shipped models for other containers, becomes healthy, and stops on a signal', async () => {
    const container = await readContainer(root);
    const place = join(folders, 'container');
    await mkdir(place);
    const install = `npm install ${container.install.replaceAll('/tmp/', `${folders}/`)}`;
    await succeed(place, 'sh', '-c', `npm init -y > ${devNull} && ${install}`);
    const installed = await readdir(join(place, 'node_modules'));
    expect(installed).toEqual(expect.arrayContaining(['milepost', 'valibot', 'esbuild']));
    expect(installed.filter((name) => /^(?:node-(?:linux|darwin|win)|aws-cdk)/.test(name))).toEqual(
      [],
    );
    await cp(join(root, 'models'), join(place, 'models'), {
      recursive: true,
      filter: (path) => {
        const [id] = relative(join(root, 'models'), path).split(sep);
        return id === '' || shippedModels.has(id!);
      },
    });

    const { environment } = container;
    expect(environment).toMatchObject({ MILEPOST_HOST: '0.0.0.0', MILEPOST_DATA: '/data' });
    expect(container).toMatchObject({ user: 'node', ports: [4500, 4567, 4568, 4569, 4570] });
    const data = join(place, 'data');
    const env = { ...userEnvironment, ...environment, ...freePorts, MILEPOST_DATA: data };
    const node = (words: readonly string[]) => {
      expect(words[0]).toBe('node');
      return words.slice(1);
    };
    const main = spawn(process.execPath, node(container.command), {
      cwd: place,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = once(main, 'close');
    const [line] = (await once(createInterface({ input: main.stdout }), 'line')) as [string];
    const { api, kinesis } = JSON.parse(line) as ReadyLine;
    const { port } = new URL(api);
    const check = () =>
      new Promise<number | null>((resolve) => {
        const variables = { ...env, MILEPOST_PORT: port };
        spawn(process.execPath, node(container.healthcheck), { cwd: place, env: variables }).once(
          'close',
          resolve,
        );
      });
    expect(await check()).toBe(0);
    expect(await ask(new URL('/api/models/activation', api), 'milepost:4500')).toBe(200);
    expect(await ask(new URL('/api/models/activation', api), 'example.com')).toBe(403);
    // On Linux, a second loopback address represents another container. Other systems have only one.
    const address = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
    const elsewhere = (url: string) => new URL(url.replace('127.0.0.1', address));
    expect(await ask(elsewhere(`${api}/api/health`), 'milepost:4500')).toBe(200);
    expect(await ask(elsewhere(kinesis), 'milepost:4567')).toBeTypeOf('number');
    main.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(await check()).toBe(1);
  });
});
