import { createRequire } from 'node:module'
import type * as S3 from '@aws-sdk/client-s3'

const load = createRequire(import.meta.url)

/** The vendor's library, loaded where pictures lie in object storage: a site that keeps them on its disk does without its 35 MB. */
export function loadS3(): typeof S3 {
  return load('@aws-sdk/client-s3') as typeof S3
}
