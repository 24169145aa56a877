import { decodeChunks } from './decode-chunks.ts';
import type { HttpAnswer } from './http-message.ts';
import { type ResponseHead, readResponseHead } from './response-head.ts';

const lineFeed = 0x0a;

/**
 * Reads one HTTP/1.1 response from the bytes of a connection, which may arrive in pieces of any size. Skips interim
 * responses, such as `100 Continue`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
export class ResponseReader {
  #head: ResponseHead | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #canReuse = false;

  /** True if the response is complete and the connection can be used for another request. */
  get canReuse(): boolean {
    return this.#canReuse;
  }

  /**
   * Reads the next bytes. Returns the response if these bytes complete it.
   *
   * @throws Error if the bytes are not an HTTP response.
   */
  read(bytes: Buffer): HttpAnswer | undefined {
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    while (!this.#head) {
      const all = this.#joined();
      const head = readResponseHead(all);
      if (!head) return undefined;
      this.#pieces = [all.subarray(head.bytes)];
      this.#bytes -= head.bytes;
      if (head.status >= 200) this.#head = head;
    }
    const { body } = this.#head;
    if (body === 'until the end') return undefined;
    if (body === 'chunked') {
      // A chunked body ends with a line break. Joining the pieces whenever a piece arrives would take quadratic time.
      const chunked = bytes.at(-1) === lineFeed ? decodeChunks(this.#joined()) : undefined;
      return chunked && this.#complete(this.#head, chunked.body, chunked.bytes);
    }
    if (this.#bytes < body) return undefined;
    return this.#complete(this.#head, this.#joined().subarray(0, body), body);
  }

  /** Returns the response if it does not state the length of its body and therefore ends with the connection. */
  end(): HttpAnswer | undefined {
    if (this.#head?.body !== 'until the end') return undefined;
    return answerOf(this.#head, this.#joined());
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces, this.#bytes)];
    return this.#pieces[0]!;
  }

  #complete(head: ResponseHead, body: Buffer, bytes: number): HttpAnswer {
    // Bytes after the response belong to no request.
    this.#canReuse = head.keepsOpen && bytes === this.#bytes;
    return answerOf(head, body);
  }
}

const answerOf = ({ status, headers }: ResponseHead, body: Buffer): HttpAnswer => ({
  status,
  headers,
  body: body.toString(),
});
