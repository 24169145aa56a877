import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Functions, Settings, SettingsByName } from './functions.ts';

const run = promisify(execFile);

/** The file with the settings of functions, in place of the code of a CDK app. */
const settingsFile = 'functions.json';
/** The Git settings for commits, which do not depend on the machine's settings. */
const author = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.com'];

/** The Git repository with the deployed CDK app. Deploying it changes the functions of the local service. */
export class Project {
  readonly #folder: string;
  readonly #functions: Functions;

  private constructor(folder: string, functions: Functions) {
    this.#folder = folder;
    this.#functions = functions;
  }

  /** Creates a repository with one version. */
  static async create(folder: string, functions: Functions): Promise<Project> {
    await mkdir(folder, { recursive: true });
    const project = new Project(folder, functions);
    await project.#git('init', '--quiet', '--initial-branch', 'main');
    await project.#commit({});
    return project;
  }

  /** Commits and deploys a version with different settings of a function. */
  async deployFault(part: string, settings: Settings): Promise<void> {
    await this.#git('switch', '--quiet', 'main');
    await this.#commit({});
    await this.#commit({ [part]: settings });
    await this.deploy();
  }

  /** Commits and deploys a version without an environment variable so that a function cannot start. */
  async deployWithout(part: string, variable: string): Promise<void> {
    const { [variable]: value, ...others } = this.#functions.named(part).environment;
    if (value === undefined) throw new Error(`${part} has no variable ${variable}`);
    await this.deployFault(part, { environment: others });
  }

  /** Deploys the files of the folder, like `npx cdk deploy` with the given options. */
  async deploy(...options: readonly string[]): Promise<void> {
    const [unknown] = options.filter((option) => option !== '--revert-drift');
    if (unknown !== undefined)
      throw new Error(`the drills do not support deployments with ${unknown}`);
    const text = await readFile(join(this.#folder, settingsFile), 'utf8');
    this.#functions.deploy(JSON.parse(text) as SettingsByName);
    if (options.length > 0) this.#functions.revertDrift();
  }

  async #commit(settings: SettingsByName): Promise<void> {
    await writeFile(join(this.#folder, settingsFile), JSON.stringify(settings));
    await this.#git('add', settingsFile);
    await this.#git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'A version');
  }

  #git(...args: readonly string[]) {
    return run('git', args, { cwd: this.#folder });
  }
}
