import { execFileSync } from 'node:child_process';
import { installTools } from './install-tools.ts';
import { extractProse, hasProse } from './prose/extract-prose.ts';
import { grammarChecker } from './prose/grammar.ts';
import { checkStyle } from './prose/style.ts';

/*
 * `npm run prose [-- PATH...]`: checks spelling, grammar, readability and style of pages, comments, messages, visible
 * texts and test names, in the whole repository or under the given paths. Skips the translations of the customer page
 * and files that npm writes. Exits with 1 if there are findings.
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
const checkGrammar = await grammarChecker(installTools());
let count = 0;
for (const passage of files.flatMap(extractProse)) {
  for (const { file, line, excerpt, message } of [
    ...checkStyle(passage),
    ...(await checkGrammar(passage)),
  ]) {
    process.stdout.write(`${file}:${line} "${excerpt}": ${message}\n`);
    count++;
  }
}
process.stdout.write(`prose: ${files.length} files, ${count} findings\n`);
process.exitCode = count === 0 ? 0 : 1;
