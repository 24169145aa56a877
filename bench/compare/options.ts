import { parseArgs } from 'node:util';
import { orders } from '../support/work.ts';

/** What is asked of a run of the bench. */
export interface Options {
  /** Parts of the bench. Empty: all of them. */
  readonly sections: ReadonlySet<string>;
  readonly instances: number;
  /** How often each figure is measured. */
  readonly runs: number;
  /** The same where it was asked for: other parts than the comparison have defaults of their own. */
  readonly asked: { readonly instances?: number; readonly events?: number; readonly runs?: number };
  /** Events a second of the latency measurement, and for how long. */
  readonly rate: number;
  readonly seconds: number;
  /** Empty: all of them. */
  readonly sides: ReadonlySet<string>;
  readonly works: ReadonlySet<string>;
  /** Where the figures are written; undefined: the default. */
  readonly json: string | undefined;
}

/** What can be chosen with --work. */
const works: readonly string[] = [...orders, 'latency'];

/** Reads the command line. Throws where it is wrong. */
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
  throw new RangeError(`--${name} must be a whole number of at least 1, and is ${text}`);
}

function known(name: string, given: readonly string[], all: readonly string[]): Set<string> {
  const unknown = given.find((each) => !all.includes(each));
  if (unknown === undefined) return new Set(given);
  throw new RangeError(`--${name} ${unknown} is not one of ${all.join(', ')}`);
}
