import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Annotations, Stage } from 'aws-cdk-lib';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { oldZonesWarning } from '../../src/core/calendar/zones/old-data.ts';

/** Adds a warning to a model's function if the calendars in its bundle use old time zone data. */
export function warnOfOldZones(fn: NodejsFunction): void {
  const asset = fn.node.findAll().find((construct) => construct instanceof Asset);
  const folder = asset && resolve(Stage.of(fn)!.outdir, asset.assetPath);
  for (const name of ['index.mjs', 'index.js']) {
    // An app can turn off bundling, for example in its tests.
    const file = folder && resolve(folder, name);
    if (file === undefined || !existsSync(file)) continue;
    const warning = oldZonesWarning(readFileSync(file, 'utf8'), Date.now());
    if (warning !== undefined) Annotations.of(fn).addWarningV2('milepost:old-time-zones', warning);
  }
}
