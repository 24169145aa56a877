import { type ApiClient, ApiError, type ApiResponse, isTemporary } from '../client/api-client.ts';
import { instancePath, modelPath } from '../client/api-paths.ts';
import { type InstanceResponse, responses } from '../client/responses.ts';
import { isBusyStatus } from '../client/retry-delay.ts';

/** The result of a poll: whether the instance changed, and whether it could be read. */
export type PollResult =
  | { readonly kind: 'changed'; readonly instance: InstanceResponse; readonly answer: ApiResponse }
  | { readonly kind: 'same' }
  /** The model exists, but the instance does not exist yet. */
  | { readonly kind: 'absent' }
  /** The service is temporarily unavailable. The next poll may succeed. */
  | { readonly kind: 'lost'; readonly error: ApiError };

/** Polls an instance, with the ETag of the latest response. */
export class InstancePoller {
  readonly #api: ApiClient;
  readonly #model: string;
  readonly #path: string;
  #last: ApiResponse | undefined;
  #isReached = false;

  constructor(api: ApiClient, model: string, transaction: string) {
    this.#api = api;
    this.#model = model;
    this.#path = instancePath(model, transaction);
  }

  /**
   * Reads the instance once. Throws `ApiError` for a permanent error, such as a model that does not exist. Until a poll
   * succeeds, also throws for temporary errors, except 429 and 503 responses.
   */
  async poll(): Promise<PollResult> {
    try {
      const sighting = await this.#ask();
      this.#isReached = true;
      return sighting;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isBusyStatus(error.status) || (this.#isReached && isTemporary(error)))
        return { kind: 'lost', error };
      throw error;
    }
  }

  async #ask(): Promise<PollResult> {
    try {
      const answer = await this.#api.getIfChanged(this.#path, this.#last?.etag);
      if (answer === undefined || answer.text === this.#last?.text) return { kind: 'same' };
      const instance = answer.read(responses.instance);
      this.#last = answer;
      return { kind: 'changed', instance, answer };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'refused' && error.status === 404))
        throw error;
      if (!this.#isReached) await this.#api.get(modelPath(this.#model));
      this.#last = undefined;
      return { kind: 'absent' };
    }
  }
}
