import type { Cli } from '../cli.ts';
import type { ApiResponse } from '../client/api-client.ts';
import type { InstanceResponse } from '../client/responses.ts';
import { localTime, percent } from '../output/format.ts';
import type { PollResult } from '../watch/instance-poller.ts';
import { LiveDrawing } from '../watch/live-drawing.ts';
import { renderWatched } from './instance-view.ts';

/** Shows the changes to an instance until the view is disposed. */
export interface WatchView extends Disposable {
  show(sighting: PollResult): void;
  /** Updates the countdown. Called about once a second. @param left milliseconds until the next poll. */
  tick(left: number): void;
}

/** Draws the instance on a terminal and updates the drawing in place. `name` must be escaped. */
export class LiveView implements WatchView {
  readonly #cli: Cli;
  readonly #name: string;
  readonly #drawing: LiveDrawing;
  readonly #redraw = () => this.#draw();
  readonly #suspend = () => this.#leaveAndStop();
  #instance: InstanceResponse | undefined;
  #sighting: PollResult = { kind: 'same' };
  #left = 0;

  constructor(cli: Cli, name: string) {
    this.#cli = cli;
    this.#name = name;
    this.#drawing = new LiveDrawing(cli.context.stdout);
    cli.context.stdout.on?.('resize', this.#redraw);
    cli.signals.on('SIGTSTP', this.#suspend);
  }

  show(sighting: PollResult): void {
    this.#sighting = sighting;
    if (sighting.kind === 'changed') this.#instance = sighting.instance;
    if (sighting.kind === 'absent') this.#instance = undefined;
    if (sighting.kind !== 'lost') this.#draw();
  }

  tick(left: number): void {
    this.#left = left;
    this.#draw();
  }

  [Symbol.dispose](): void {
    this.#cli.context.stdout.off?.('resize', this.#redraw);
    this.#cli.signals.off('SIGTSTP', this.#suspend);
    this.#drawing[Symbol.dispose]();
  }

  /** Handles Ctrl+Z: shows the cursor and suspends the process. After it resumes, the next `tick` or `show` redraws. */
  #leaveAndStop(): void {
    this.#drawing[Symbol.dispose]();
    this.#cli.signals.kill(this.#cli.signals.pid, 'SIGSTOP');
  }

  #draw(): void {
    const width = (this.#cli.width ?? 80) - 1;
    const { paint } = this.#cli;
    const parts = [
      this.#instance ? renderWatched(this.#instance, { width, paint }) : '',
      this.#remark(),
    ].filter((part) => part !== '');
    if (parts.length > 0) this.#drawing.draw(parts.join('\n\n'));
  }

  #remark(): string {
    const { paint } = this.#cli;
    if (this.#sighting.kind === 'lost') {
      const seconds = Math.ceil(this.#left / 1000);
      return paint('yellow', `retrying in ${seconds}s: ${this.#sighting.error.message}`);
    }
    if (this.#sighting.kind === 'absent') return waitingFor(this.#name);
    return this.#instance?.done ? paint('green', `${this.#name} is done`) : '';
  }
}

/**
 * Prints one line per change. While the instance does not exist or the service is unavailable, prints notes on standard
 * error.
 */
export class LineView implements WatchView {
  readonly #cli: Cli;
  readonly #name: string;
  readonly #print: (instance: InstanceResponse, answer: ApiResponse) => void;
  #before: PollResult['kind'] = 'same';

  constructor(
    cli: Cli,
    name: string,
    print: (instance: InstanceResponse, answer: ApiResponse) => void,
  ) {
    this.#cli = cli;
    this.#name = name;
    this.#print = print;
  }

  show(sighting: PollResult): void {
    const isNew = sighting.kind !== this.#before;
    this.#before = sighting.kind;
    if (sighting.kind === 'changed') this.#print(sighting.instance, sighting.answer);
    else if (sighting.kind === 'absent' && isNew) this.#cli.note(waitingFor(this.#name));
    else if (sighting.kind === 'lost' && isNew)
      this.#cli.note(`retrying: ${sighting.error.message}`);
  }

  tick(): void {}

  [Symbol.dispose](): void {}
}

/**
 * Formats an instance as a log line: time, status, progress, parked events, late milestones, and whether it is done.
 */
export function logLine(instance: InstanceResponse, now: string): string {
  const { status, progress, parked, milestones, done } = instance;
  const late = milestones.filter(({ state }) => state === 'late').map(({ label }) => label);
  return [
    localTime(now),
    status,
    progress === null ? '' : percent(progress),
    parked === 0 ? '' : `${parked} parked`,
    late.length === 0 ? '' : `late: ${late.join(', ')}`,
    done ? 'done' : '',
  ]
    .filter((part) => part !== '')
    .join('  ');
}

const waitingFor = (name: string) => `waiting for ${name}…`;
