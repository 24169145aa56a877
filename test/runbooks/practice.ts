import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRunbooks } from '../support/docs/runbooks.ts';
import { blocksIn, coverage } from './coverage.ts';
import type { Drill } from './drill.ts';
import { World } from './world/world.ts';

const page = await readRunbooks('docs/how-to/respond-to-alarms.md');
const runbooks = new Map(page.runbooks.map((runbook) => [runbook.name, runbook]));

/** Returns the commands of part of a section that run on a local service. */
const commandsOf = (name: string, part: 'look' | 'do') =>
  blocksIn('local', runbooks.get(name)![part], coverage[name]![part]).join('\n');

const enableMappings = `
for name in Dispatcher Publisher; do
  aws lambda update-event-source-mapping --uuid "$(resource EventSourceMapping $name)" --enabled
done`;

/**
 * Returns a function that replaces names in commands. Each name must occur under "Look" or "Do" so that the page and
 * the drill match.
 */
async function named(world: World, drill: Drill, name: string) {
  const names = Object.entries((await drill.names?.(world)) ?? {});
  const text = commandsOf(name, 'look') + commandsOf(name, 'do');
  for (const [shown] of names) expect(text).toContain(shown);
  return (commands: string) =>
    names.reduce((changed, [shown, actual]) => changed.replaceAll(shown, actual), commands);
}

/** Checks that the commands under "Look" show no fault. Ignores earlier log lines. */
async function expectHealthy(world: World, { look }: Drill, commands: string): Promise<void> {
  world.logs.clear();
  const shown = await world.shell.try(commands);
  for (const unexpected of look) expect(shown).not.toMatch(unexpected);
}

/**
 * Defines the tests of drills on one local service. A test fails if the commands under "Look" show the fault before its
 * cause or after the commands under "Do".
 *
 * @param more defines further tests on the same service
 */
export function practice(
  drills: Readonly<Record<string, Drill>>,
  more?: (world: () => World) => void,
): void {
  describe('on a local service', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(page.setup);
    }, 120_000);
    // A failed drill must not affect later drills.
    afterEach(async ({ task }) => {
      world?.functions.restoreAll();
      if (task.result?.state === 'fail') await world?.shell.try(enableMappings);
    });
    afterAll(() => world?.close());

    it.each(Object.entries(drills))(
      '%s: the commands under "Look" show the fault only while it exists, and the commands under "Do" repair it without losing events',
      async (name, drill) => {
        const look = commandsOf(name, 'look');
        await expectHealthy(world, drill, look);
        await drill.cause(world);
        const rename = await named(world, drill, name);
        const shown = await world.shell.run(rename(look));
        for (const expected of drill.look) expect(shown).toMatch(expected);
        await drill.repair?.(world);
        await world.shell.run(rename(commandsOf(drill.sameAs ?? name, 'do')));
        await drill.gone(world);
        await expectHealthy(world, drill, rename(look));
      },
      90_000,
    );

    more?.(() => world);
  });
}
