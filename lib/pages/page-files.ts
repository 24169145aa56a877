import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  BucketDeployment,
  CacheControl,
  type ISource,
  Source,
} from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { packageFolder } from '../../src/package-folder.ts';
import { insertLoginTag, type LoginSettings } from '../../src/pages/insert-login-tag.ts';
import { allow } from '../allow.ts';
import { logicalId } from '../logical-id.ts';
import { functionDefaults, type LogProps } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';

export interface PageFilesProps extends LogProps {
  /** The folder with the built pages. */
  readonly folder: string;
  readonly login: LoginSettings;
  readonly encryptionKey?: IKey;
}

/** The output folder of `npm run build` for the pages. */
export const builtPages = join(packageFolder, 'dist', 'web');

/**
 * The memory, in MB, of the function that copies the files. In a stack, the CDK uses one function for all file
 * deployments with the same memory size. A distinct size gives this deployment a separate function, because other
 * deployments need different permissions.
 */
const copierMemory = 320;

/**
 * The files of the pages, in a bucket that only CloudFront can read.
 *
 * Except for index.html, file names contain a content hash, so browsers can cache the files for a year. Files from
 * earlier deployments remain in the bucket for browser windows that are still open. index.html refers to the other
 * files and contains the login settings; it is deployed last, and browsers check for a new version before they use a
 * cached copy.
 */
export class PageFiles extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: PageFilesProps) {
    super(scope, id);
    const { folder, login, encryptionKey } = props;
    const index = join(folder, 'index.html');
    if (!existsSync(index)) throw new Error(`${folder} contains no pages; run npm run build`);
    this.bucket = privateBucket(this, 'Bucket', {
      encryptionKey,
      removalPolicy: props.removalPolicy,
      unlogged: 'Only CloudFront reads it, and CloudFront has its own access logs.',
    });

    const { role, logGroup } = functionDefaults(this, props);
    grantWrite(role, this.bucket);
    encryptionKey?.grantEncrypt(role);
    const shared = {
      destinationBucket: this.bucket,
      prune: false,
      memoryLimit: copierMemory,
      logGroup,
      // By default, the deployment would grant its role read and delete access to all assets of the account.
      role: role.withoutPolicyUpdates(),
    };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      sources: [readBy(role, Source.asset(folder, { exclude: ['index.html'] }))],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const html = insertLoginTag(readFileSync(index, 'utf8'), login);
    const start = new BucketDeployment(this, 'Index', {
      ...shared,
      sources: [readBy(role, Source.data('index.html', html))],
      contentType: 'text/html; charset=utf-8',
      cacheControl: [CacheControl.noCache()],
    });
    assets.node.addDependency(role);
    start.node.addDependency(assets);
    acknowledgeCopier(this);
  }
}

/** Grants only the permissions that copying requires: listing the bucket and writing index.html and the assets. */
function grantWrite(role: Role, bucket: Bucket): void {
  const assets = 'assets/*';
  allow(role, ['s3:ListBucket'], [bucket.bucketArn]);
  allow(role, ['s3:PutObject'], [bucket.arnForObjects('index.html'), bucket.arnForObjects(assets)]);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(bucket)}.Arn>/${assets}]`,
    reason:
      'The names of these files contain content hashes, which change with each build. The pattern ' +
      'covers only these files.',
  });
}

/** Wraps a source so that the role can read only the source's object in its bucket. */
function readBy(role: Role, source: ISource): ISource {
  return {
    bind(scope, context) {
      const config = source.bind(scope, context);
      allow(role, ['s3:GetObject'], [config.bucket.arnForObjects(config.zipObjectKey)]);
      return config;
    },
  };
}

function acknowledgeCopier(scope: Construct): void {
  const copier = Stack.of(scope).node.children.find(
    ({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment') && node.id.endsWith(`${copierMemory}MiB`),
  );
  if (!copier)
    throw new Error(
      'the CDK changed the name of the function that deploys files; update lib/pages/page-files.ts',
    );
  Validations.of(copier).acknowledge({
    id: 'AwsSolutions-L1',
    reason:
      'The CDK provides the function that copies the files and chooses its runtime, which newer CDK ' +
      'versions update.',
  });
}
