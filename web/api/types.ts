import type { InferOutput } from 'valibot';
import type { me } from '../../src/api/access/me-schema.ts';
import type { link, linkPage } from '../../src/api/customer-pages/link-schemas.ts';
import type {
  deadLetter,
  deadLetterPage,
  redriven,
} from '../../src/api/dead-letters/dead-letter-schemas.ts';
import type { deadlineList } from '../../src/api/instances/deadline-routes.ts';
import type { entry, entryPage } from '../../src/api/instances/history-schemas.ts';
import type {
  instance,
  instancePage,
  pastInstance,
  summary,
} from '../../src/api/instances/instance-schemas.ts';
import type { attainmentByWeek } from '../../src/api/registry/attainment-schema.ts';
import type {
  model,
  modelDetail,
  modelList,
  modelVersion,
  versionList,
} from '../../src/api/registry/model-schemas.ts';
import type { overview } from '../../src/api/registry/overview-schema.ts';
import type { foundEvents, searchResults } from '../../src/api/search/search-schemas.ts';

/* The types of the API's responses, from its schemas. */

export type Summary = InferOutput<typeof summary>;
export type Instance = InferOutput<typeof instance>;
export type PastInstance = InferOutput<typeof pastInstance>;
export type Entry = InferOutput<typeof entry>;
export type Model = InferOutput<typeof model>;
export type ModelDetail = InferOutput<typeof modelDetail>;
export type ModelVersion = InferOutput<typeof modelVersion>;
export type VersionList = InferOutput<typeof versionList>;
export type DeadLetter = InferOutput<typeof deadLetter>;
export type SearchResults = InferOutput<typeof searchResults>;
export type FoundEvents = InferOutput<typeof foundEvents>;
export type Overview = InferOutput<typeof overview>;
export type AttainmentByWeek = InferOutput<typeof attainmentByWeek>;
export type Me = InferOutput<typeof me>;
export type InstancePage = InferOutput<typeof instancePage>;
export type DeadlineList = InferOutput<typeof deadlineList>;
export type DeadlineTimeline = DeadlineList['deadlines'][number];
export type HistoryPage = InferOutput<typeof entryPage>;
export type LetterSummary = DeadLetterPage['deadLetters'][number];
export type DeadLetterPage = InferOutput<typeof deadLetterPage>;
export type NewLink = InferOutput<typeof link>;
export type LinkPage = InferOutput<typeof linkPage>;
export type CustomerLink = LinkPage['links'][number];
export type ModelPage = InferOutput<typeof modelList>;
export type Redriven = InferOutput<typeof redriven>;
export type Diagram = NonNullable<ModelDetail['diagram']>;
export type Eta = NonNullable<Instance['eta']>[number];
export type Milestone = Instance['milestones'][number];
