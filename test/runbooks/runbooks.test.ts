import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRunbooks, readShellBlocks } from '../support/docs/runbooks.ts';
import { blocksIn, coverage } from './coverage.ts';
import type { Drill } from './drill.ts';
import { apiDrills } from './drills/api.ts';
import { archiveDrills } from './drills/archive.ts';
import { canaryDrills } from './drills/canary.ts';
import { eventSourceDrills } from './drills/event-sources.ts';
import { eventDrills } from './drills/events.ts';
import { keyDrills } from './drills/keys.ts';
import { modelDrills } from './drills/models.ts';
import { notificationDrills } from './drills/notifications.ts';
import { procedures } from './procedures.ts';
import { World } from './world/world.ts';

const page = await readRunbooks('docs/how-to/respond-to-alarms.md');
const runbooks = new Map(page.runbooks.map((runbook) => [runbook.name, runbook]));
const drills: Readonly<Record<string, Drill>> = {
  ...eventDrills,
  ...eventSourceDrills,
  ...modelDrills,
  ...notificationDrills,
  ...apiDrills,
  ...archiveDrills,
  ...canaryDrills,
  ...keyDrills,
};

/** The local commands of a part of a section. */
const commandsOf = (name: string, part: 'look' | 'do') =>
  blocksIn('local', runbooks.get(name)![part], coverage[name]![part]).join('\n');

const enableMappings = `
for name in Dispatcher Publisher; do
  aws lambda update-event-source-mapping --uuid "$(resource EventSourceMapping $name)" --enabled
done`;

let world: World;

/** Replaces names in commands. Each must occur under "Look" or "Do", so that the page and the drill match. */
async function named(drill: Drill, name: string) {
  const names = Object.entries((await drill.names?.(world)) ?? {});
  const text = commandsOf(name, 'look') + commandsOf(name, 'do');
  for (const [shown] of names) expect(text).toContain(shown);
  return (commands: string) =>
    names.reduce((changed, [shown, actual]) => changed.replaceAll(shown, actual), commands);
}

describe('the page', () => {
  it('has a row in the table of coverage for every section and every shell block', () => {
    const blocks = page.runbooks.map(({ name, look, do: todo }) => [
      name,
      look.length,
      todo.length,
    ]);
    const rows = Object.entries(coverage).map(([name, row]) => [
      name,
      row.look.length,
      row.do.length,
    ]);
    expect(rows).toEqual(blocks);
  });

  it('has a drill for every section with commands that run on this machine', () => {
    const local = Object.entries(coverage).filter(([, row]) => row.look.includes('local'));
    expect(Object.keys(drills).toSorted()).toEqual(local.map(([name]) => name).toSorted());
  });
});

describe('on a local service', () => {
  beforeAll(async () => {
    world = await World.open(page.setup);
  }, 120_000);
  // A failed drill must not spoil the next ones.
  afterEach(async ({ task }) => {
    world?.functions.restoreAll();
    if (task.result?.state === 'fail') await world?.shell.try(enableMappings);
  });
  afterAll(() => world?.close());

  it.each(Object.keys(coverage).filter((name) => name in drills))(
    '%s: the commands under "Look" show the fault only while it exists, and those under "Do" repair it without losing events',
    async (name) => {
      const drill = drills[name]!;
      const look = commandsOf(name, 'look');
      const expectHealthy = async (rename: (commands: string) => string) => {
        world.logs.clear();
        const shown = await world.shell.try(rename(look));
        for (const unexpected of drill.look) expect(shown).not.toMatch(unexpected);
      };
      await expectHealthy((commands) => commands);
      await drill.cause(world);
      const rename = await named(drill, name);
      const shown = await world.shell.run(rename(look));
      for (const expected of drill.look) expect(shown).toMatch(expected);
      await drill.repair?.(world);
      await world.shell.run(rename(commandsOf(drill.sameAs ?? name, 'do')));
      await drill.gone(world);
      await expectHealthy(rename);
    },
    60_000,
  );

  it.each(Object.entries(procedures))('the commands of %s work', async (path, procedure) => {
    await procedure(world, await readShellBlocks(path));
  });
});
