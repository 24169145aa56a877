import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../aws-local/server/start-error.ts';
import { createFolder } from '../../common/create-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const assemblies = join(root, 'dist', 'assemblies');

/** The source files that determine the Lambda functions and the template. */
const sources = [
  '{lambdas,lib,models}/**/*.ts',
  'src/!(aws-local|cli|conformance|cost|local|testing)/**/*.ts',
  'src/{*,local/bundling/*}.ts',
  '{bin/app,index,scripts/{build,synthesize}}.ts',
  'web/milepost-status/*.ts',
  '{cdk,package-lock}.json',
];
/** How long an unused assembly is kept, in milliseconds. */
const unusedAssemblyMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The options of the CDK app on this machine. Keys for personal data and source maps are enabled because they cost
 * nothing here. cdk-nag is disabled because it checks rules only for deployments and would make synthesis about a
 * tenth slower.
 */
const localContext = { personalData: true, sourceMaps: true, nag: 'none' };

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Builds the Lambda functions and synthesizes the CDK app so that this machine runs exactly what would be deployed.
 * Reuses an earlier result if the sources have not changed.
 *
 * @param env the environment variables of child processes. `CDK_CONTEXT_JSON` sets options of the app, except the
 *   options in `localContext`.
 * @param signal aborts the synthesis.
 * @returns the folder of the cloud assembly.
 * @throws StartError with the output of the build or the app.
 */
export async function synthesize(env: EnvironmentVariables, signal?: AbortSignal): Promise<string> {
  const context = { ...parseContext(env.CDK_CONTEXT_JSON), ...localContext };
  const folder = join(assemblies, await digestOfSources(JSON.stringify(context)));
  if (await exists(folder)) {
    const now = new Date();
    // Only the owner can set the time, and another user may have run `npm ci`.
    await utimes(folder, now, now).catch(() => undefined);
    return folder;
  }
  await createFolder(assemblies);
  const fresh = await mkdtemp(join(assemblies, '.fresh-'));
  try {
    // Disable template validation, which is useful only for deployments and would account for most of the start time.
    const settings = {
      CDK_OUTDIR: fresh,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify(context),
      PATH: [join(import.meta.dirname, 'shortcut'), env.PATH].join(delimiter),
    };
    await runScript(join('scripts', 'synthesize.ts'), { ...env, ...settings }, signal);
    await removeUnused();
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // A concurrent start may have created the same folder first.
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

const parseContext = (text = '{}') => JSON.parse(text) as Readonly<Record<string, unknown>>;

async function digestOfSources(context: string): Promise<string> {
  const digest = createHash('sha256').update(process.version).update(context);
  const files = await Array.fromAsync(glob(sources, { cwd: root }));
  for (const file of files.toSorted()) digest.update(file).update(await readFile(join(root, file)));
  return digest.digest('hex').slice(0, 16);
}

async function runScript(
  script: string,
  env: EnvironmentVariables,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await run(process.execPath, [join(root, script)], { cwd: root, env, signal });
  } catch (error) {
    const output = (error as { stderr?: string }).stderr ?? String(error);
    throw new StartError(`${script} failed:\n${output.trim()}`, { cause: error });
  }
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(assemblies)) {
    // A concurrent start may already have removed the assembly.
    const assembly = await stat(join(assemblies, name)).catch(() => undefined);
    if (assembly && Date.now() - assembly.mtimeMs > unusedAssemblyMs)
      await rm(join(assemblies, name), { recursive: true, force: true });
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
