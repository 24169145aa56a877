import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { replaceFile } from '../../../src/aws-local/replace-file.ts';
import { freePort } from '../../support/free-port.ts';
import { SlowProxy } from './slow-proxy.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';
import { SoakService } from './soak-service.ts';
import type { SoakWorld } from './soak-world.ts';

const stream = 'milepost-events';

/** The service of a soak, and everything around the service that can fail. */
export class World {
  readonly disk: SmallDisk;
  readonly service: SoakService;
  readonly proxies: Readonly<Record<'DYNAMODB' | 'KINESIS' | 'LAMBDA', SlowProxy>>;
  readonly kinesis: KinesisClient;
  readonly stream = stream;
  readonly api: string;
  /** The folder with the service's log and the files that control its processes. */
  readonly folder: string;
  readonly #files: SoakWorld;

  private constructor(
    parts: Pick<World, 'disk' | 'service' | 'proxies' | 'api' | 'folder'> & {
      readonly kinesisUrl: string;
      readonly files: SoakWorld;
    },
  ) {
    this.disk = parts.disk;
    this.service = parts.service;
    this.proxies = parts.proxies;
    this.api = parts.api;
    this.folder = parts.folder;
    this.#files = parts.files;
    this.kinesis = new KinesisClient({
      endpoint: parts.kinesisUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: 'soak', secretAccessKey: 'soak' },
      requestHandler: new NodeHttpHandler(),
      maxAttempts: 1,
    });
  }

  /** Starts a service on free ports, with a separate data folder. */
  static async start(): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'milepost-soak-control-'));
    const disk = await smallDisk();
    const [api, kinesis, dynamodb, lambda] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const proxies = {
      DYNAMODB: await SlowProxy.to(dynamodb),
      KINESIS: await SlowProxy.to(kinesis),
      LAMBDA: await SlowProxy.to(lambda),
    };
    const endpoints = Object.entries(proxies).map(([name, { url }]) => [name, url] as const);
    const files: SoakWorld = {
      clockFile: join(folder, 'clock'),
      repairedFile: join(folder, 'repaired'),
      endpoints: Object.fromEntries(endpoints),
    };
    await replaceFile(files.clockFile, '0');
    await replaceFile(files.repairedFile, '0');
    const variables = {
      MILEPOST_PORT: String(api),
      MILEPOST_KINESIS_PORT: String(kinesis),
      MILEPOST_DYNAMODB_PORT: String(dynamodb),
      MILEPOST_LAMBDA_PORT: String(lambda),
      MILEPOST_EVENTBRIDGE_PORT: '0',
      MILEPOST_DATA: join(disk.folder, 'data'),
      MILEPOST_MODELS: join(import.meta.dirname, '..', 'models'),
      MILEPOST_RELOAD: 'off',
    };
    const service = new SoakService({ variables, world: files, logFile: join(folder, 'log') });
    const urls = { api: `http://127.0.0.1:${api}`, kinesisUrl: `http://127.0.0.1:${kinesis}` };
    return new World({ disk, service, proxies, folder, files, ...urls });
  }

  /** Shifts the clocks of all the service's processes by the given number of milliseconds. */
  setClock(offsetMs: number): Promise<void> {
    return replaceFile(this.#files.clockFile, String(offsetMs));
  }

  /** Repairs the model `fragile` for the events of the given wave and of earlier waves. */
  repair(wave: number): Promise<void> {
    return replaceFile(this.#files.repairedFile, String(wave));
  }

  /**
   * Stops everything and removes the disk. If `keep` is true, first copies its files to the folder with the log.
   * Returns this folder.
   */
  async end({ keep }: { readonly keep: boolean }): Promise<string> {
    await this.service.stop({ isLast: true });
    this.kinesis.destroy();
    for (const proxy of Object.values(this.proxies)) proxy.close();
    if (keep) await this.disk.keep(this.folder);
    await this.disk.remove();
    return this.folder;
  }
}
