import { ApiError } from './api-client.ts';

/** Checks that the entries of an instance's history, oldest first, lack no commit. */
export class CommitSequence {
  #latest = 0;

  /**
   * Adds the commit version of the next entry.
   *
   * @throws ApiError if a commit before this one is missing: `refused` with status 500, like the API's response if it
   * cannot read stored data.
   */
  add(version: number): void {
    const expected = this.#latest + 1;
    if (version > expected)
      throw new ApiError('refused', `commit ${expected} is missing, but commit ${version} exists`, {
        status: 500,
      });
    this.#latest = version;
  }
}
