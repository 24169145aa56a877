import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { createFolder } from '../../common/create-folder.ts';
import { messageOf } from '../../common/message-of.ts';
import type { ServiceDefinition, VersionDefinition } from '../template/service-definition.ts';

/** The versions of a function after a deployment. */
export interface PublishedVersions extends VersionDefinition {
  /** The versions, newest first. The first version is the deployed version. */
  readonly versions: readonly FunctionDefinition[];
}

/** The maximum number of stored versions of a function. The registry keeps the same number. */
const maximumStoredVersions = 20;

/** The stored metadata of a version. */
interface StoredVersion {
  /** The logical id under which the version was published. */
  readonly id: string;
  readonly definition: FunctionDefinition;
}

/**
 * Publishes function versions as an AWS deployment does. Each version has its own copy of the code, so updating the
 * function does not change the version. Adds no version if the function has not changed since its newest version. Keeps
 * the newest 20 versions of each function.
 *
 * @param folder the folder with all versions, including the versions of earlier runs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-version.html
 */
export async function publishVersions(
  { functions, versions }: Pick<ServiceDefinition, 'functions' | 'versions'>,
  folder: string,
): Promise<PublishedVersions[]> {
  const publishing = versions.map(async (version) => {
    const definition = functions.find(({ name }) => name === version.functionName);
    if (!definition)
      throw new Error(`the version ${version.id} refers to a function that does not exist`);
    const place = join(folder, definition.name);
    return { ...version, versions: await publish(version.id, definition, place) };
  });
  return Promise.all(publishing);
}

async function publish(
  id: string,
  definition: FunctionDefinition,
  folder: string,
): Promise<FunctionDefinition[]> {
  const numbers = await publishedNumbers(folder);
  const kept = await Promise.all(numbers.map((number) => read(join(folder, String(number)))));
  if (kept[0]?.id === id) return kept.map((each) => each.definition);
  const number = (numbers[0] ?? 0) + 1;
  const added = await write(id, { ...definition, version: String(number) }, folder);
  const old = numbers.slice(maximumStoredVersions - 1).map((each) => join(folder, String(each)));
  await Promise.all(old.map((place) => rm(place, { recursive: true })));
  return [added, ...kept.slice(0, maximumStoredVersions - 1).map((each) => each.definition)];
}

/** Returns the numbers of the existing versions, newest first. */
async function publishedNumbers(folder: string): Promise<number[]> {
  await createFolder(folder);
  const names = (await readdir(folder)).filter((name) => /^[1-9]\d*$/.test(name));
  return names.map(Number).toSorted((a, b) => b - a);
}

async function read(place: string): Promise<StoredVersion> {
  const file = join(place, 'version.json');
  try {
    const { id, definition } = JSON.parse(await readFile(file, 'utf8')) as StoredVersion;
    // Derive the path of the code from `place`: the stored path is outdated if the data folder has been moved.
    return { id, definition: { ...definition, codePath: join(place, 'code') } };
  } catch (error) {
    const reason = messageOf(error).replaceAll(/\s+/g, ' ');
    throw new StartError(
      `${file} cannot be read: ${reason}; restore the file, or delete ${place} to discard this version`,
      { cause: error },
    );
  }
}

/** Writes a version, first to a temporary folder so that killing the process never leaves a partial version. */
async function write(
  id: string,
  definition: FunctionDefinition,
  folder: string,
): Promise<FunctionDefinition> {
  const unfinished = join(folder, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await cp(definition.codePath, join(unfinished, 'code'), { recursive: true });
  await writeFile(join(unfinished, 'version.json'), JSON.stringify({ id, definition }));
  const place = join(folder, definition.version!);
  await rename(unfinished, place);
  return { ...definition, codePath: join(place, 'code') };
}
