import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';

const content = v.object({ asked: v.record(v.string(), v.unknown()), cursor: v.string() });

/** How far a run is, in a file, so that the same command goes on there after it was stopped. */
export class ProgressFile {
  readonly #path: string;
  readonly #asked: Readonly<Record<string, unknown>>;

  /** @param asked what the command was asked to do: another one may not go on where it was. */
  constructor(path: string, asked: Readonly<Record<string, unknown>>) {
    this.#path = path;
    // As JSON has it.
    this.#asked = JSON.parse(JSON.stringify(asked)) as Record<string, unknown>;
  }

  /**
   * Where to go on; undefined where there is no such file.
   *
   * @throws Error in a line for people, where the file is of something else or cannot be read.
   */
  async read(): Promise<string | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Error(`cannot read ${this.#path}: ${(error as Error).message}`, { cause: error });
    }
    const found = v.safeParse(v.pipe(v.string(), v.parseJson(), content), text);
    if (!found.success) throw new Error(`${this.#path} is not a file that --progress wrote`);
    const { asked, cursor } = found.output;
    if (isDeepStrictEqual(asked, this.#asked)) return cursor;
    throw new Error(`${this.#path} is of another command: ${JSON.stringify(asked)}`);
  }

  /**
   * Says how far it is: all before the cursor is done.
   *
   * @throws Error in a line for people, where the file cannot be written.
   */
  async write(cursor: string): Promise<void> {
    const part = `${this.#path}.part`;
    try {
      await writeFile(part, `${JSON.stringify({ asked: this.#asked, cursor })}\n`);
      await rename(part, this.#path);
    } catch (error) {
      throw new Error(`cannot write ${this.#path}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** It is done. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
