import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { installTools } from './install-tools.ts';
import { hasProse } from './prose/extract-prose.ts';
import type { Finding } from './prose/finding.ts';

/*
 * `npm run prose [-- PATH...]`: checks spelling, grammar, readability, and style of pages, comments, messages, visible
 * text, and test names, in the whole repository or under the given paths. Skips the translations of the customer page
 * and npm's lock files. Exits with status 1 if there are findings.
 */
const isExcluded = (file: string) =>
  /^src\/customer-page\/texts\/(?!en\.)[a-z]{2}\.ts$|(^|\/)package-lock\.json$/.test(file);

const paths = process.argv.slice(2);
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => hasProse(file) && !isExcluded(file));
// Install the tools before the threads start; otherwise, the threads would install them concurrently.
installTools();
const threads = Math.max(1, Math.min(availableParallelism(), files.length));
const shares = Array.from({ length: threads }, (_, thread) =>
  files.filter((_, index) => index % threads === thread),
);
const findings = (await Promise.all(shares.map(checkInThread))).flat();
for (const { file, line, excerpt, message } of findings)
  process.stdout.write(`${file}:${line} "${excerpt}": ${message}\n`);
process.stdout.write(`prose: ${files.length} files, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;

async function checkInThread(share: readonly string[]): Promise<Finding[]> {
  const thread = new Worker(new URL('./prose/check-thread.ts', import.meta.url), {
    workerData: share,
  });
  const [found] = (await once(thread, 'message')) as [Finding[]];
  return found;
}
