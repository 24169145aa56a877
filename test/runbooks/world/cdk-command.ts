import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../src/common/message-of.ts';
import type { Project } from './project.ts';

/** A server that deploys a project when `npx cdk deploy` runs in a shell. */
export const cdkServer = (project: Project): Server =>
  createServer((request, response) => {
    void text(request)
      .then((body) => project.deploy(...(JSON.parse(body) as readonly string[])))
      .then(
        () => response.end(),
        (error: unknown) => response.writeHead(400).end(messageOf(error)),
      );
  });

/**
 * Returns the shell code of an `npx` that deploys a project, because CloudFormation cannot deploy to the local service.
 *
 * @param url the address of the `cdkServer`
 */
export function cdkCommand(url: string): string {
  const program = `
    const [cdk, command, ...options] = process.argv.slice(1);
    if (cdk !== 'cdk' || command !== 'deploy') throw new Error('unknown command: ' + cdk + ' ' + command);
    const response = await fetch('${url}', { method: 'POST', body: JSON.stringify(options) });
    if (!response.ok) throw new Error(await response.text());`;
  return `exec ${process.execPath} --input-type=module --eval "${program.replaceAll('$', String.raw`\$`)}" -- "$@"`;
}
