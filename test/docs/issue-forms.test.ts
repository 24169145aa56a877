import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..', '..', '.github', 'ISSUE_TEMPLATE');
const forms = await Array.fromAsync(glob('*-*.yml', { cwd: folder }));

const text = v.pipe(v.string(), v.nonEmpty());
const question = {
  id: v.pipe(v.string(), v.regex(/^[a-z-]+$/)),
  validations: v.optional(v.strictObject({ required: v.boolean() })),
};
const asked = { label: text, description: v.optional(text) };

/**
 * An issue form. GitHub hides a form that does not follow its
 * {@link
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms
 * | syntax}.
 */
const formSchema = v.strictObject({
  name: text,
  description: text,
  labels: v.array(text),
  body: v.array(
    v.variant('type', [
      v.strictObject({ type: v.literal('markdown'), attributes: v.strictObject({ value: text }) }),
      v.strictObject({
        type: v.literal('textarea'),
        ...question,
        attributes: v.strictObject(asked),
      }),
      v.strictObject({
        type: v.literal('dropdown'),
        ...question,
        attributes: v.strictObject({ ...asked, options: v.array(text) }),
      }),
    ]),
  ),
});

describe('the issue forms', () => {
  it('exist for bugs and features', () => {
    expect(forms.toSorted()).toEqual(['bug-report.yml', 'feature-request.yml']);
  });

  it.each(forms)('follow GitHub’s syntax, with unique ids and labels: %s', async (name) => {
    const form: unknown = parse(await readFile(join(folder, name), 'utf8'));
    const { body } = v.parse(formSchema, form);
    const questions = body.filter((element) => element.type !== 'markdown');
    expect(questions).not.toEqual([]);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    expect(new Set(questions.map(({ attributes }) => attributes.label)).size).toBe(
      questions.length,
    );
  });
});
