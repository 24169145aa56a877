import { isAbsolute, relative } from 'node:path';
import type { ModelFault } from '../../core/model/model-fault.ts';
import { stackFrames } from '../../core/model/stack-frames.ts';
import { packageFolder } from '../../package-folder.ts';

/**
 * Returns the first position in a fault's stack that is in the project's own code: in the working directory, but
 * neither in a package nor in Milepost's source. Returns undefined if there is none.
 */
export function locationInProject({ cause }: ModelFault): string | undefined {
  for (const { file, line, column } of stackFrames(cause)) {
    const path = relative(process.cwd(), file);
    const isOwn = isAbsolute(file) && !/^\.\.|(?:^|\/)node_modules\//.test(path);
    if (isOwn && !isMilepostFile(file)) return `${path}:${line}:${column}`;
  }
  return undefined;
}

const isMilepostFile = (file: string) => file.startsWith(`${packageFolder}/src/`);
