import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programToRead } from '../../scripts/docs/program.ts';
import { readSettings } from '../../src/local/settings/settings.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/reference/commands.md'), 'utf8');

describe('the page of commands and settings', () => {
  it('mentions every command', () => {
    const program = programToRead(() => undefined);
    const names = program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name())
      .filter((name) => name !== 'help');
    const documented = new Set(
      [...page.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code!.split(' ')),
    );
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('lists every environment variable of the local service', () => {
    const rows = [...page.matchAll(/^\| `(MILEPOST_\w+)` \|/gm)].map(([, name]) => name!);
    expect(rows.toSorted()).toEqual([...variablesOfSettings()].toSorted());
  });
});

/** Returns the names of all variables that `readSettings` reads. */
function variablesOfSettings(): ReadonlySet<string> {
  const names = new Set<string>();
  const values: Record<string, string> = { MILEPOST_MODELS: 'models' };
  readSettings(
    new Proxy(values, {
      get: (target, name: string) => {
        names.add(name);
        return target[name];
      },
    }),
  );
  return names;
}
