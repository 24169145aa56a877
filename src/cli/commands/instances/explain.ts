import type { Command } from 'commander';
import { escapeControls, escapeJson } from '../../../common/escape.ts';
import { pathIn, pointerOf } from '../../../core/json/json-pointer.ts';
import { joinExplanations } from '../../../core/replay/join-explanations.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { instancePath } from '../../client/api-paths.ts';
import { readAllPages } from '../../client/read-all-pages.ts';
import { type ExplainedField, responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { type AsOfOptions, asOfQuery, withAsOf } from '../../options/as-of.ts';
import { localTime } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'field', min: 12 },
  { header: 'value', min: 8 },
  { header: 'v', align: 'right' },
  { header: 'time' },
  { header: 'event', min: 12 },
  { header: 'source', min: 6 },
];

/** `milepost explain`: shows which event set each field of an instance's state. */
export function addExplain(program: Command, cli: Cli): void {
  withAsOf(withInstance(program.command('explain')))
    .usage('[options] <model> <transaction> [field]')
    .argument(
      '[field]',
      'a part of the state: names joined by dots, such as app.mail, or a JSON Pointer, such as /app/mail',
    )
    .summary('show which event set each field of a state')
    .description(
      "Shows which event set each field of an instance's state, or which event removed the given field. Column v " +
        "shows the instance's version. Times are in the local time zone.",
    )
    .addHelpText(
      'after',
      examples(
        'explain activation ATV-123',
        'explain activation ATV-123 app.NBC.token',
        'explain activation ATV-123 --at PT2H',
      ),
    )
    .action(
      async (
        model: string,
        transaction: string,
        part: string | undefined,
        _: unknown,
        self: Command,
      ) => {
        const { json, ...options } = self.optsWithGlobals<GlobalOptions & AsOfOptions>();
        const path = `${instancePath(model, transaction)}/explain`;
        const query = {
          ...asOfQuery(options),
          field: part === undefined ? part : field(part, self),
        };
        const api = cli.api(self);
        const ask = (cursor?: string) => api.get(path, cursor === undefined ? query : { cursor });
        const progress = new ProgressLine(cli.context);
        let fields: readonly ExplainedField[] | undefined;
        try {
          for await (const { answer } of readAllPages(ask)) {
            if (json) {
              cli.printJson(answer, responses.explanation);
              continue;
            }
            const explanation = answer.read(responses.explanation);
            fields = fields ? joinExplanations(fields, explanation.fields) : explanation.fields;
            progress.show(undefined, `read back from version ${explanation.asOf.version}`);
          }
        } finally {
          progress.clear();
        }
        if (fields)
          cli.printTable(columns, fields.map(row), 'The field does not exist and was never set.');
      },
    );
}

function row({ path, value, removed, setBy }: ExplainedField): Cell[] {
  return [
    escapeControls(path || '(the state)'),
    removed ? { text: 'removed', style: 'dim' } : escapeJson(JSON.stringify(value)),
    setBy ? String(setBy.version) : '',
    setBy ? localTime(setBy.event.time) : '',
    setBy?.event.type ?? '',
    setBy?.event.source ?? '',
  ];
}

/** Converts names joined by dots to a JSON Pointer; returns a JSON Pointer unchanged. */
function field(text: string, command: Command): string {
  const pointer = text.startsWith('/') || text === '' ? text : pointerOf(text.split('.'));
  if (pathIn(pointer)) return pointer;
  return command.error(
    `error: the field must be a JSON Pointer (RFC 6901), or names joined by dots; got '${text}'`,
  );
}
