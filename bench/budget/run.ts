import { main, type Section } from '../support/section.ts';
import { checkBudget } from './check-budget.ts';
import { consumed } from './consumed.ts';
import { recordings } from './recorded.ts';

/** Counts the resources that the budget limits and compares the counts with the recorded values. */
export async function run(): Promise<Section> {
  const counts = await consumed();
  const flaws = checkBudget(counts, recordings);
  return {
    title: 'Budget',
    tables: [
      {
        title: 'count',
        rows: Object.fromEntries(Object.entries(counts).map(([name, now]) => [name, { now }])),
      },
    ],
    figures: counts,
    notes: flaws.length > 0 ? flaws : ['every count is within 5% of its recorded value'],
  };
}

if (import.meta.main) await main(() => run());
