import type { InferOutput } from 'valibot';
import type * as schemas from '../../src/api/schemas.ts';

/* The types of the API's responses, from its schemas. */

export type Summary = InferOutput<typeof schemas.summary>;
export type Instance = InferOutput<typeof schemas.instance>;
export type PastInstance = InferOutput<typeof schemas.pastInstance>;
export type Entry = InferOutput<typeof schemas.entry>;
export type Model = InferOutput<typeof schemas.model>;
export type ModelDetail = InferOutput<typeof schemas.modelDetail>;
export type ModelVersion = InferOutput<typeof schemas.modelVersion>;
export type VersionList = InferOutput<typeof schemas.pageAnswers.versions>;
export type DeadLetter = InferOutput<typeof schemas.deadLetter>;
export type Overview = InferOutput<typeof schemas.overview>;
export type Me = InferOutput<typeof schemas.me>;
export type InstancePage = InferOutput<typeof schemas.pageAnswers.instances>;
export type HistoryPage = InferOutput<typeof schemas.pageAnswers.history>;
export type DeadLetterPage = InferOutput<typeof schemas.pageAnswers.deadLetters>;
export type LinkPage = InferOutput<typeof schemas.pageAnswers.links>;
export type CustomerLink = LinkPage['links'][number];
export type ModelPage = InferOutput<typeof schemas.pageAnswers.models>;
export type Redriven = InferOutput<typeof schemas.actionAnswers.redriven>;
export type Diagram = NonNullable<ModelDetail['diagram']>;
export type Eta = Instance['eta'][number];
export type Milestone = Instance['milestones'][number];
