import { MilepostError } from '../errors.ts';
import { modelIdPattern } from '../event/event.ts';
import { sensitiveViolation } from '../personal-data/check-sensitive.ts';
import type { Sensitive, SensitiveIn } from '../personal-data/sensitive.ts';
import type { DescribeOf, DiagramOf } from './declared-names.ts';
import type { Milestone } from './description.ts';
import { labelsViolation } from './labels.ts';
import type { EventSchemas, Model } from './model.ts';

/** The members of a model that have a default in `defineModel` or that the compiler checks against each other. */
type CheckedByName = 'version' | 'statuses' | 'milestones' | 'diagram' | 'describe' | 'sensitive';

/**
 * Declares a model and validates it, so a mistake is reported when the code is loaded, before the first event arrives.
 * If `describe` returns an undeclared status or milestone, the code does not compile, unless the name is computed at
 * run time or `describe` has no parameter. Milepost checks all names when `describe` returns.
 *
 * @param model the members of `Model`. Default: `version` 1 and no `milestones`.
 * @returns the model to pass to `serve`.
 * @throws MilepostError `bad-model`, which names the first mistake.
 *
 * @example
 * import * as v from 'valibot';
 *
 * export const door = defineModel({
 *   id: 'door',
 *   title: 'A door',
 *   statuses: ['Closed', 'Open'],
 *   events: { 'door.opened': v.object({}), 'door.closed': v.object({}) },
 *   initial: () => ({ isOpen: false }),
 *   transition(event, { isOpen }) {
 *     const opens = event.type === 'door.opened';
 *     if (opens === isOpen) return reject('the door is already in this state');
 *     return accept({ isOpen: opens });
 *   },
 *   describe: ({ isOpen }) => ({ status: isOpen ? 'Open' : 'Closed' }),
 * });
 */
export function defineModel<
  State,
  const Events extends EventSchemas,
  const Marked extends Sensitive = Sensitive,
  const Status extends string = string,
  const MilestoneId extends string = string,
  Shown extends string = Status,
  Mentioned extends string = MilestoneId,
  const Node extends string = string,
  const End extends string = Node,
>(
  model: Omit<Model<State, Events>, CheckedByName> & {
    readonly version?: number | undefined;
    readonly statuses: readonly Status[];
    readonly milestones?: readonly (Milestone & { readonly id: MilestoneId })[] | undefined;
    readonly diagram?: DiagramOf<Node, End> | undefined;
    readonly describe: DescribeOf<
      State,
      { readonly status: NoInfer<Status>; readonly milestone: NoInfer<MilestoneId> },
      Shown,
      Mentioned
    >;
    readonly sensitive?: (Marked & SensitiveIn<NoInfer<State>, Marked>) | undefined;
  },
): Model<State, Events> {
  // The cast is safe: callers can pass only a function as `describe`.
  const complete = {
    ...model,
    version: model.version ?? 1,
    milestones: model.milestones ?? [],
  } as unknown as Model<State, Events>;
  const wrong = modelViolation(complete);
  if (wrong) throw new MilepostError('bad-model', `model ${JSON.stringify(model.id)}: ${wrong}`);
  return complete;
}

/** The types of the members that every model has. Without type checks, a member can be missing. */
const memberTypes = {
  id: 'string',
  title: 'string',
  statuses: 'object',
  events: 'object',
  initial: 'function',
  transition: 'function',
  describe: 'function',
} as const;

const memberNames = Object.keys(memberTypes) as (keyof typeof memberTypes)[];

function modelViolation<State, Events extends EventSchemas>(model: Model<State, Events>) {
  const missing = memberNames.find(
    (name) => typeof (model[name] ?? undefined) !== memberTypes[name],
  );
  if (missing !== undefined)
    return `the member \`${missing}\` is missing or is not of the type ${memberTypes[missing]}`;
  const { id, version, title, statuses, milestones, events } = model;
  const { sensitive = {}, diagram, labels = {} } = model;
  if (!modelIdPattern.test(id))
    return `the id must have 1 to 64 characters from a-z, 0-9, and -; got ${JSON.stringify(id)}`;
  if (!Number.isSafeInteger(version) || version < 1)
    return `the version must be an integer of at least 1; got ${JSON.stringify(version)}`;
  if (title === '') return 'the title must not be empty';
  if (!isListOf(statuses, (status) => typeof status === 'string'))
    return '`statuses` must be an array of strings';
  const isMilestone = (milestone: Milestone | null) =>
    typeof milestone?.id === 'string' && typeof milestone.label === 'string';
  if (!isListOf(milestones, isMilestone))
    return '`milestones` must be an array of objects with the strings `id` and `label`';
  if (statuses.length === 0) return 'at least one status is required';
  const names = [
    ...statuses,
    ...milestones.flatMap((milestone) => [milestone.id, milestone.label]),
  ];
  const wrongName = names.find((name) => name === '' || name.length > 256);
  if (wrongName !== undefined)
    return (
      'each status, milestone, and label must have 1 to 256 characters; ' +
      `${JSON.stringify(wrongName.slice(0, 40))}${wrongName === '' ? '' : '…'} has ${wrongName.length}`
    );
  const twice = repeated(statuses) ?? repeated(milestones.map((milestone) => milestone.id));
  if (twice !== undefined) return `${JSON.stringify(twice)} is declared twice`;
  if (Array.isArray(events))
    return '`events` must be an object with a data schema for each event type; got an array';
  if (Object.keys(events).length === 0) return 'at least one event type is required';
  const bare = Object.keys(events).find((type) => !events[type]?.['~standard']);
  if (bare !== undefined)
    return `the data schema of ${bare} is not a Standard Schema; use one from Zod, Valibot, or another library that implements Standard Schema`;
  const wrong = sensitiveViolation(sensitive, events);
  if (wrong) return wrong;
  const nodes = new Set(diagram?.nodes.map((node) => node.id));
  const loose = diagram?.edges.find((edge) => !nodes.has(edge.from) || !nodes.has(edge.to));
  if (loose)
    return `the diagram has no node for one end of the edge ${loose.from} -> ${loose.to}; declare both nodes`;
  return labelsViolation(labels, [title, ...statuses, ...milestones.map(({ label }) => label)]);
}

/** Without type checks, a list can be any value and contain anything. */
const isListOf = <Item>(list: readonly Item[], isItem: (item: Item) => boolean) =>
  Array.isArray(list) && list.every(isItem);

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
