import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { messageOf } from '../../common/message-of.ts';
import type { ServiceDefinition, VersionDefinition } from '../template/service-definition.ts';

/** A function's versions after a deployment. */
export interface PublishedVersions extends VersionDefinition {
  /** Newest first; the first one is what was deployed. */
  readonly versions: readonly FunctionDefinition[];
}

/** As many as the registry knows. */
const maximumStoredVersions = 20;

/** What is kept of a version beside its code. */
interface StoredVersion {
  /** The logical id that it was published under. */
  readonly id: string;
  readonly definition: FunctionDefinition;
}

/**
 * Publishes versions of functions as a deployment does in AWS, each with a copy of its code, so that it
 * runs on as it was when the function has other code. One that is the same as the function's newest one
 * is that one. The newest 20 of each function are kept.
 *
 * @param folder where they are kept, also for the next run.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-version.html
 */
export async function publishVersions(
  { functions, versions }: Pick<ServiceDefinition, 'functions' | 'versions'>,
  folder: string,
): Promise<PublishedVersions[]> {
  const publishing = versions.map(async (version) => {
    const definition = functions.find(({ name }) => name === version.functionName);
    if (!definition) throw new Error(`${version.id} is a version of no function`);
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

/** The numbers of the versions that there are, newest first. */
async function publishedNumbers(folder: string): Promise<number[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => /^[1-9]\d*$/.test(name));
  return names.map(Number).toSorted((a, b) => b - a);
}

async function read(place: string): Promise<StoredVersion> {
  const file = join(place, 'version.json');
  try {
    const { id, definition } = JSON.parse(await readFile(file, 'utf8')) as StoredVersion;
    // The data folder may have been moved.
    return { id, definition: { ...definition, codePath: join(place, 'code') } };
  } catch (error) {
    const reason = messageOf(error).replaceAll(/\s+/g, ' ');
    throw new StartError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Under another name first, so that a kill leaves a whole version or none. */
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
