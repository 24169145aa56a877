import type { TextFile } from '../../pure/instances-file.ts';

/** How long the browser has to read a file's content, in milliseconds. */
const readableMs = 60_000;

/** Saves a file with the browser's download function. */
export function saveFile({ name, type, text }: TextFile): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), readableMs);
}
