import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { instance, model } from '../../samples.ts';
import { StubService } from '../../stub-service.ts';

let service: StubService;
beforeAll(async () => {
  service = await new StubService().start();
  service.data.models = [
    model('activation'),
    model('tickets', { statuses: ['On sale', 'Sold out'] }),
  ];
  service.data.instances = ['ATV-1', 'ATV-2', 'job:1', 'job:2', 'a@b.example', "Fred's seat"].map(
    (transaction) => instance({ transaction }),
  );
});
afterAll(() => service.stop());

const cli = fileURLToPath(new URL('../../../../bin/milepost.js', import.meta.url));
const has = (shell: string) => spawnSync(shell, ['-c', 'exit']).status === 0;

describe('the completion script', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'milepost-cli-'));
    await writeFile(
      join(folder, 'milepost'),
      `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`,
    );
    await chmod(join(folder, 'milepost'), 0o755);
    await writeFile(join(folder, 'my events.ndjson'), '');
    for (const shell of ['bash', 'zsh', 'fish'])
      await writeFile(join(folder, shell), (await run(['completion', shell])).stdout);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function shell(name: string, script: string): Promise<string> {
    const PATH = `${folder}${delimiter}${process.env.PATH}`;
    const env = { ...process.env, PATH, MILEPOST_API: service.url, LC_ALL: 'C.UTF-8' };
    const { stdout, stderr } = await promisify(execFile)(name, ['-c', script], {
      env,
      cwd: folder,
    });
    expect(stderr).toBe('');
    return stdout;
  }

  // Bash splits words at `:`, `=`, and `@`.
  it.each([
    ['wat', 'wat', ['watch']],
    ['status activation ATV', 'status activation ATV', ['ATV-1', 'ATV-2']],
    ['status activation job:', 'status activation job :', ['1', '2']],
    ['status activation job:1', 'status activation job : 1', ['1']],
    ['status activation a@b', 'status activation a @ b', ['@b.example']],
    ['status activation Fr', 'status activation Fr', ["Fred\\'s\\ seat"]],
    ['status activation "Fr', `status activation '"Fr'`, ["Fred's seat"]],
    ["status activation Fred\\'", `status activation "Fred\\\\'"`, ["Fred\\'s\\ seat"]],
    ['list --status=', 'list --status =', ['Waiting', 'Active', 'On\\ sale', 'Sold\\ out']],
    ['list --status=On', 'list --status = On', ['On\\ sale']],
    ['put --file my', 'put --file my', ['my events.ndjson']],
    ['put --file=', 'put --file =', expect.arrayContaining(['my events.ndjson'])],
    ['status none', 'status none', []],
  ])('for bash completes milepost %s', async (_, words, expected) => {
    const stdout = await shell(
      'bash',
      `. ./bash
      COMP_WORDS=(milepost ${words})
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _milepost milepost
      printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual(expected);
  });

  it('for bash registers itself for the command milepost', async () => {
    expect(await shell('bash', '. ./bash; complete -p milepost')).toContain('_milepost milepost');
  });

  it.skipIf(!has('zsh'))('for zsh has valid syntax', async () => {
    expect(await shell('zsh', 'zsh -n ./zsh')).toBe('');
  });

  it.skipIf(!has('fish'))('for fish completes the typed word', async () => {
    const typed = 'milepost status activation Fr';
    expect(await shell('fish', `source ./fish; complete -C '${typed}'`)).toBe(
      "Fred's seat\tActive\n",
    );
  });
});
