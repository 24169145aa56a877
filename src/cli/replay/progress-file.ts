import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';

const content = v.object({ asked: v.record(v.string(), v.unknown()), cursor: v.string() });

/** A file that stores the progress of a run so that the same command can resume after an interruption. */
export class ProgressFile {
  readonly #path: string;
  readonly #asked: Readonly<Record<string, unknown>>;

  /** @param asked the options of the command. Only a command with the same options can resume the run. */
  constructor(path: string, asked: Readonly<Record<string, unknown>>) {
    this.#path = path;
    // Convert the options to JSON values, to compare them with the parsed file.
    this.#asked = JSON.parse(JSON.stringify(asked)) as Record<string, unknown>;
  }

  /**
   * Reads the cursor at which the run resumes. Returns undefined if the file does not exist.
   *
   * @throws Error with a one-line message if the file belongs to another command or cannot be read.
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
    if (!found.success)
      throw new Error(`${this.#path} is not a file that --progress wrote; use another file`);
    const { asked, cursor } = found.output;
    if (isDeepStrictEqual(asked, this.#asked)) return cursor;
    throw new Error(
      `${this.#path} belongs to another command: ${JSON.stringify(asked)}; use another file`,
    );
  }

  /**
   * Saves the progress: all instances before the cursor are done.
   *
   * @throws Error with a one-line message if the file cannot be written.
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

  /** Removes the file after the run is complete. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
