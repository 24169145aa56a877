import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { freePort } from '../../../test/support/free-port.ts';
import { type Program, startProgram, untilReady } from '../processes/processes.ts';

/** Returns the path of Restate's binary, or undefined if no binary for this machine is installed. */
export function restateBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(
      `@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
    );
  } catch {
    return undefined;
  }
}

/** A running Restate server, with the URLs of its ingress and its admin API. */
export interface RestateServer extends Program {
  readonly ingress: string;
  readonly admin: string;
}

/**
 * Starts a Restate server with its data in the folder. If `partitions` is undefined, Restate chooses the number of
 * partitions.
 */
export async function startRestate(folder: string, partitions?: number): Promise<RestateServer> {
  const [fabric, ingress, admin] = await Promise.all([freePort(), freePort(), freePort()]);
  const at = (port: number) => `127.0.0.1:${port}`;
  await mkdir(folder, { recursive: true });
  const settings = {
    RESTATE_BASE_DIR: folder,
    RESTATE_NODE_NAME: 'bench',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: at(fabric),
    RESTATE_ADVERTISED_ADDRESS: `http://${at(fabric)}`,
    RESTATE_INGRESS__BIND_ADDRESS: at(ingress),
    RESTATE_ADMIN__BIND_ADDRESS: at(admin),
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LOG_FILTER: 'warn',
    DO_NOT_TRACK: '1',
    ...(partitions !== undefined && { RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions) }),
  };
  const server = await startProgram(restateBinary()!, ['--no-logo'], {
    env: { ...process.env, ...settings },
  });
  const urls = { ingress: `http://${at(ingress)}`, admin: `http://${at(admin)}` };
  const healthy = async (url: string) => (await fetch(url).catch(() => undefined))?.ok ?? false;
  await untilReady(
    server,
    async () =>
      (await healthy(`${urls.admin}/health`)) && (await healthy(`${urls.ingress}/restate/health`)),
  );
  return { ...server, ...urls };
}
