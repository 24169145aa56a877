import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Class, type Node, type Program, parseSync, type TSInterfaceBody } from 'oxc-parser';
import { root } from './markdown.ts';

/** The files of the package's entry points, by the names that users import. */
export const entries = {
  milepost: 'index.ts',
  'milepost/cdk': 'lib/index.ts',
  'milepost/testing': 'src/testing/index.ts',
  'milepost/xstate': 'src/xstate/index.ts',
};

/** A declaration and its docstring. */
export interface Documented {
  readonly name: string;
  /** The file and line of the declaration, such as `src/core/model/model.ts:12`. */
  readonly place: string;
  /** The docstring without asterisks, or undefined if the declaration has none. */
  readonly doc: string | undefined;
  /** The line number where the docstring starts, or the declaration's line number if it has none. */
  readonly docLine: number;
  /** The names of the parameters if the declaration is callable; empty text for a destructured parameter. */
  readonly parameters: readonly string[];
}

export interface PublicExport extends Documented {
  readonly entry: string;
  readonly file: string;
  readonly isValue: boolean;
  /** The members of an interface or a class. */
  readonly members: readonly Member[];
}

export interface Member extends Documented {
  readonly isConstructor: boolean;
}

/** Finds all public exports of all entry points. */
export async function publicExports(): Promise<PublicExport[]> {
  const found: PublicExport[] = [];
  for (const [entry, file] of Object.entries(entries))
    for (const statement of (await parsed(file)).program.body)
      if (statement.type === 'ExportNamedDeclaration' && statement.source) {
        const target = relative(root, join(root, dirname(file), statement.source.value));
        const source = await parsed(target);
        for (const { local } of statement.specifiers)
          if (local.type === 'Identifier') found.push({ entry, ...exported(source, local.name) });
      } else throw new Error(`${file}: an entry point must contain only "export { … } from"`);
  return found;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly docs: readonly {
    readonly start: number;
    readonly end: number;
    readonly value: string;
  }[];
}

async function parsed(file: string): Promise<Source> {
  const text = await readFile(join(root, file), 'utf8');
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  return { file, text, program, docs };
}

function exported(source: Source, name: string): Omit<PublicExport, 'entry'> {
  for (const statement of source.program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue;
    const { declaration } = statement;
    const names =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id }) => id)
        : 'id' in declaration
          ? [declaration.id]
          : [];
    if (!names.some((id) => id?.type === 'Identifier' && id.name === name)) continue;
    const isType =
      declaration.type === 'TSInterfaceDeclaration' ||
      declaration.type === 'TSTypeAliasDeclaration';
    return {
      ...documented(source, statement, name, parametersOf(declaration)),
      file: source.file,
      isValue: !isType,
      members: membersOf(source, declaration),
    };
  }
  throw new Error(`${source.file} declares no ${name}`);
}

function membersOf(source: Source, declaration: Node): Member[] {
  if (declaration.type !== 'TSInterfaceDeclaration' && declaration.type !== 'ClassDeclaration')
    return [];
  const body: (Class['body'] | TSInterfaceBody)['body'] = declaration.body.body;
  return body.flatMap((member) => {
    if (!('key' in member) || member.key.type !== 'Identifier') return [];
    if ('accessibility' in member && member.accessibility === 'private') return [];
    const isConstructor = 'kind' in member && member.kind === 'constructor';
    const parameters = parametersOf('value' in member ? member.value : member);
    return [{ ...documented(source, member, member.key.name, parameters), isConstructor }];
  });
}

/** Returns the parameter names of a function, a method, or a function type. */
function parametersOf(node: Node | null | undefined): string[] {
  if (node?.type === 'VariableDeclaration') return parametersOf(node.declarations[0]?.init);
  if (!node || !('params' in node) || !Array.isArray(node.params)) return [];
  return node.params.map((parameter) => {
    const inner = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    const named = inner.type === 'RestElement' ? inner.argument : inner;
    return named.type === 'Identifier' ? named.name : '';
  });
}

function documented(
  source: Source,
  { start }: Node,
  name: string,
  parameters: readonly string[],
): Documented {
  const comment = docBefore(source, start);
  return {
    name,
    place: `${source.file}:${lineAt(source, start)}`,
    docLine: lineAt(source, comment?.start ?? start),
    parameters,
    doc: comment?.value
      .slice(1)
      .replaceAll(/^[ \t]*\* ?/gm, '')
      .trim(),
  };
}

const docBefore = ({ text, docs }: Source, start: number) =>
  docs.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '');

const lineAt = ({ text }: Source, offset: number) => text.slice(0, offset).split('\n').length;
