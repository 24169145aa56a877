import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../settings.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Builds the Lambdas and synthesises the CDK app into a folder: what runs here
 * is what would be deployed.
 *
 * @param env the variables that a command started here should see.
 * @throws StartError with what the build or the app said.
 */
export async function synthesise(folder: string, env: Environment): Promise<void> {
  await runScript(join('scripts', 'build.ts'), env);
  // The validation belongs to a deployment; it would take most of the time here.
  await runScript(join('bin', 'app.ts'), { ...env, CDK_OUTDIR: folder, CDK_VALIDATION: 'false' });
}

type Environment = Readonly<Record<string, string | undefined>>;

async function runScript(script: string, env: Environment): Promise<void> {
  try {
    await run(process.execPath, [join(root, script)], { cwd: root, env });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? String(error);
    throw new StartError(`${script} failed:\n${said.trim()}`, { cause: error });
  }
}
