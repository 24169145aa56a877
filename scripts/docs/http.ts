import { curlOf } from './curl.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { httpFolder } from './layout.ts';
import {
  type ApiDescription,
  type Content,
  type Operation,
  type Parameter,
  readApiDescription,
  type Schema,
} from './openapi.ts';
import { typeText } from './type-text.ts';

export interface HttpPage {
  /** The path of the page on the site, such as `reference/http/list-instances.md`. */
  readonly page: string;
  /** The task, or the title of the overview. */
  readonly title: string;
  /** The group of operations to which the page belongs; undefined for the overview. */
  readonly tag: string | undefined;
  readonly text: string;
}

/** Generates the pages of the HTTP API: an overview, and one page for each operation, with its task as the title. */
export async function httpPages(): Promise<HttpPage[]> {
  const read = await readApiDescription();
  // List Milepost's operations before those that every service has, such as the health check.
  const [service, own] = [
    read.operations.filter(isOfService),
    read.operations.filter((each) => !isOfService(each)),
  ];
  const description = { ...read, operations: [...own, ...service] };
  const pages = description.operations.map((operation) => ({
    page: `${httpFolder}/${fileNameOf(operation)}`,
    title: operation.summary,
    tag: capitalized(operation.tags[0]!),
    text: operationPage(operation, description),
  }));
  return [overviewPage(description), ...pages];
}

const isOfService = ({ tags: [tag] }: Operation) => tag === 'service';

const fileNameOf = ({ summary }: Operation) =>
  `${summary
    .toLowerCase()
    .replaceAll("'s", '')
    .replaceAll(/[^a-z]+/g, '-')}.md`;

function overviewPage({ text, operations }: ApiDescription): HttpPage {
  const tags = [...new Set(operations.map(({ tags: [tag] }) => tag!))];
  const parts = [
    '# HTTP API',
    text,
    'The examples use the local service that `npm start` runs, which accepts requests without credentials. In AWS, requests need ' +
      'the address and the authorization of your deployment. `GET /api/openapi.json` returns this reference as OpenAPI 3.1.',
    ...tags.flatMap((tag) => [
      `## ${capitalized(tag)}`,
      operations
        .filter(({ tags: [own] }) => own === tag)
        .map(
          (operation) =>
            `- [${operation.summary}](./${fileNameOf(operation)})<br>\`${operation.method} ${operation.path}\``,
        )
        .join('\n'),
    ]),
  ];
  const page = `${httpFolder}/index.md`;
  return { page, title: 'HTTP API', tag: undefined, text: parts.join('\n\n') };
}

function operationPage(operation: Operation, { schemas }: ApiDescription): string {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const bad = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const inPath = parameters.filter((each) => each.in === 'path');
  const inQuery = parameters.filter((each) => each.in === 'query');
  return [
    `# ${summary}`,
    description,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    '## Example',
    `\`\`\`sh\n${curlOf(operation)}\n\`\`\``,
    ...parametersTable('Path parameters', inPath),
    ...parametersTable('Query parameters', inQuery),
    ...bodySection(requestBody, schemas),
    '## Response',
    ...good.map(([status, content]) => responseText(status, content, schemas)),
    '## Errors',
    'The body of an error is a problem document (RFC 9457) with `title`, `status`, and `detail`.',
    [
      '| status | meaning |',
      '| --- | --- |',
      ...bad.map(([status, { description: meaning = '' }]) => `| ${status} | ${meaning} |`),
    ].join('\n'),
  ].join('\n\n');
}

function parametersTable(title: string, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  return [
    `## ${title}`,
    [
      '| name | type | description |',
      '| --- | --- | --- |',
      ...parameters.map(
        ({ name, description = '', schema = {} }) =>
          `| \`${name}\` | ${escapeMarkdown(typeAndLimits(schema))} | ${escapeMarkdown(description)} |`,
      ),
    ].join('\n'),
  ];
}

function typeAndLimits({ type, const: only, minimum, maximum, default: usual }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const defaultValue = usual === undefined ? '' : `, default ${JSON.stringify(usual)}`;
  return `${String(type ?? '')}${range}${defaultValue}`;
}

function bodySection(body: Content | undefined, schemas: ApiDescription['schemas']): string[] {
  const schema = body?.content?.['application/json']?.schema;
  if (!schema) return [];
  return [
    '## Body',
    `${capitalized(body.description ?? '')}.`,
    `\`\`\`ts\n${typeText(schema, schemas)}\n\`\`\``,
  ];
}

function responseText(
  status: string,
  { content }: Content,
  schemas: ApiDescription['schemas'],
): string {
  if (status === '304') return '`304`: the version in `If-None-Match` is still current.';
  const schema = content?.['application/json']?.schema;
  if (!schema) return `\`${status}\` without a body.`;
  return `\`${status}\` with\n\n\`\`\`ts\n${typeText(schema, schemas)}\n\`\`\``;
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
