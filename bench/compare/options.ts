import { parseArgs } from 'node:util';
import { orders } from '../support/work.ts';

export interface Options {
  /** The sections to run. An empty set selects all sections. */
  readonly sections: ReadonlySet<string>;
  readonly instances: number;
  /** The number of measurements per figure. */
  readonly runs: number;
  /** The values given on the command line, for the sections whose defaults differ from those of the comparison. */
  readonly asked: { readonly instances?: number; readonly events?: number; readonly runs?: number };
  /** The rate of events during the latency measurement, in events per second. */
  readonly rate: number;
  readonly seconds: number;
  /** The systems to measure. An empty set selects all systems. */
  readonly sides: ReadonlySet<string>;
  readonly works: ReadonlySet<string>;
  /** The output file. Default: see `bench/run.ts`. */
  readonly json: string | undefined;
}

/** The allowed values of `--work`. */
const works: readonly string[] = [...orders, 'latency'];

/**
 * Parses the command line.
 *
 * @throws RangeError if an option has an invalid value.
 */
export function readOptions(
  args: readonly string[],
  { sides, sections }: { readonly sides: readonly string[]; readonly sections: readonly string[] },
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      instances: { type: 'string' },
      events: { type: 'string' },
      runs: { type: 'string' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '20' },
      section: { type: 'string', multiple: true, default: [] },
      side: { type: 'string', multiple: true, default: [] },
      work: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
    },
  });
  const instances = values.instances && whole('instances', values.instances);
  const events = values.events && whole('events', values.events);
  const runs = values.runs && whole('runs', values.runs);
  return {
    sections: known('section', values.section, sections),
    instances: instances || 10_000,
    runs: runs || 3,
    asked: { ...(instances && { instances }), ...(events && { events }), ...(runs && { runs }) },
    rate: whole('rate', values.rate),
    seconds: whole('seconds', values.seconds),
    sides: known('side', values.side, sides),
    works: known('work', values.work, works),
    json: values.json,
  };
}

function whole(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a positive integer; got ${text}`);
}

function known(name: string, given: readonly string[], all: readonly string[]): Set<string> {
  const unknown = given.find((each) => !all.includes(each));
  if (unknown === undefined) return new Set(given);
  throw new RangeError(`--${name} must be one of ${all.join(', ')}; got ${unknown}`);
}
