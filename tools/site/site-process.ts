import { resolve } from 'node:path'

/** Options for starting the site's process so that it starts in a second and stays small; `npm run bench -- start` measures both. */
export const SITE_PROCESS = {
  nodeOptions: [
    // Size of the young generation, in MB: Node's default takes 50 MB more under load and is no faster.
    '--max-semi-space-size=4',
    // Makes the heap grow in smaller steps: 12 MB less under load, for a tenth of the throughput of a server that has twice the required throughput.
    '--optimize-for-size',
    // Heap limit, four times the live size, in MB: on a machine with much memory Node would keep 250 MB of garbage, where 100 are enough.
    '--max-old-space-size=256',
  ],
  environment: {
    // Compile cache with types stripped, for the next start: half the time, and 18 MB less without the stripper.
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, '..', '..', '.cache', 'compiled'),
    // Otherwise glibc keeps freed memory separately for each thread that checks passwords.
    MALLOC_ARENA_MAX: '2',
  },
}
