import { synthesise } from '../../src/local/template/synthesise.ts';

/** Builds and synthesises once, so that services that tests start are there in a second. */
export async function setup(): Promise<void> {
  await synthesise(process.env);
}
