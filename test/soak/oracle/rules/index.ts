import { activationRules } from './activation.ts';
import { customerRules } from './customer.ts';
import { fragileRules } from './fragile.ts';
import { mapChunkRules, mapReduceRules } from './map-reduce.ts';
import type { Rules } from './rules.ts';
import { sessionRules } from './session.ts';
import { ticketsRules } from './tickets.ts';

/** The rules of each model in a soak. */
export const rulesOf: Readonly<Record<string, Rules<unknown>>> = {
  activation: activationRules,
  customer: customerRules,
  fragile: fragileRules,
  'map-chunk': mapChunkRules,
  'map-reduce': mapReduceRules,
  session: sessionRules,
  tickets: ticketsRules,
};
