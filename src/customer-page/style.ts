/**
 * The style of the shadow root of `<milepost-status>`. Colors follow the `color-scheme` of the embedding page instead
 * of the customer's system so that the status is readable on a page that has only a light theme. The backgrounds of the
 * progress and of the marks convey meaning, so the backgrounds are also shown in forced-colors mode and in print. The
 * milestones stay next to their marks on a page that centers its text.
 */
export const statusStyle = `
:host { display: block; color: var(--text); font-family: var(--milepost-font, inherit); line-height: 1.5;
  --text: var(--milepost-text, #1c2430); --quiet: var(--milepost-quiet, #556070); --line: var(--milepost-line, #c9d1db);
  --done: var(--milepost-done, #17663a); --accent: var(--milepost-accent, #1a56b0); --late: var(--milepost-late, #a3261b);
  --on-mark: var(--milepost-on-mark, #fff); }
@supports (color: light-dark(#000, #fff)) {
  :host { --text: var(--milepost-text, light-dark(#1c2430, #e8edf3)); --quiet: var(--milepost-quiet, light-dark(#556070, #a7b3c2));
    --line: var(--milepost-line, light-dark(#c9d1db, #3b4756)); --done: var(--milepost-done, light-dark(#17663a, #6fd39b));
    --accent: var(--milepost-accent, light-dark(#1a56b0, #8ab8ff)); --late: var(--milepost-late, light-dark(#a3261b, #ff9a8d));
    --on-mark: var(--milepost-on-mark, light-dark(#fff, #12171e)); }
}
:host([hidden]) { display: none; }
p, h1, h2, h3, h4, h5, h6, ol { margin: 0; padding: 0; overflow-wrap: anywhere; }
.title, .reference, .state, .note, .problem { color: var(--quiet); }
.reference bdi { color: var(--text); font-weight: 600; }
h1, h2, h3, h4, h5, h6 { margin-block: .4rem 1rem; font-size: 1.75em; line-height: 1.2; }
progress { display: block; inline-size: 100%; block-size: .5rem; margin-block-end: 1.5rem; border: 0; border-radius: 1rem;
  overflow: hidden; appearance: none; background: var(--line); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem; }
ol { list-style: none; margin-block-end: 1.25rem; text-align: start; }
li { position: relative; padding-inline-start: 2.4rem; padding-block-end: 1.1rem; }
li:last-child { padding-block-end: 0; }
li:not(:last-child)::before { content: ''; position: absolute; inset-inline-start: calc(.75rem - 1px); inset-block: 1.6rem .1rem;
  border-inline-start: 2px solid var(--line); }
.mark { position: absolute; inset-inline-start: 0; box-sizing: border-box; inline-size: 1.5rem; block-size: 1.5rem;
  border: 2px solid var(--line); border-radius: 50%; font: 700 .8rem/calc(1.5rem - 4px) system-ui, sans-serif;
  text-align: center; color: var(--quiet); }
.label, .state { display: block; }
.label { font-weight: 600; }
.state, .note, .problem { font-size: .9em; text-wrap: pretty; }
.reached .mark { border-color: var(--done); background: var(--done); color: var(--on-mark); }
.reached:not(:last-child)::before { border-color: var(--done); }
.current .mark { border-color: var(--accent); color: var(--accent); }
.current .label { color: var(--accent); }
.late .mark { border-color: var(--late); background: var(--late); color: var(--on-mark); }
.late .state { color: var(--late); }
.pending .label, .skipped .label { font-weight: 400; }
.problem { margin-block-start: .75rem; padding-inline-start: .75rem; border-inline-start: 3px solid var(--late); }
progress, .mark { forced-color-adjust: none; print-color-adjust: exact; }
`;
