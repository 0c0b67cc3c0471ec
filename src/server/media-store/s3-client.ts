import { createRequire } from 'node:module'
import type * as S3 from '@aws-sdk/client-s3'

const load = createRequire(import.meta.url)

/** Loads the AWS SDK on first use: a site that stores pictures on disk does not need its 35 MB. */
export function loadS3(): typeof S3 {
  return load('@aws-sdk/client-s3') as typeof S3
}
