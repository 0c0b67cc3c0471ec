import { resolve } from 'node:path'

/** Options for starting the site's process so that it starts in a second and stays small; `npm run bench -- start` measures both. */
export const SITE_PROCESS = {
  nodeOptions: [
    // Makes the heap grow in smaller steps: 25 MB less after a load (docs/decisions/0046-less-cleverness.md).
    '--optimize-for-size',
    // The limit of the heap, in MB: the process stays under the 512 MB that the service unit allows it.
    '--max-old-space-size=256',
  ],
  environment: {
    // Compile cache with types stripped, for the next start: half the time, and 18 MB less without the stripper.
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, '..', '..', '.cache', 'compiled'),
    // Otherwise glibc keeps freed memory separately for each thread that checks passwords.
    MALLOC_ARENA_MAX: '2',
  },
}
