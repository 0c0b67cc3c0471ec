import { resolve } from 'node:path'

/** How the site's process is started so that it is up in a second and stays small; `npm run bench -- start` measures both. */
export const SITE_PROCESS = {
  nodeOptions: [
    // Room for young objects, in MB: Node's own measure takes 50 MB more under load and makes nothing quicker.
    '--max-semi-space-size=4',
    // The heap grows by less before it is cleared: 12 MB less under load, for a tenth of the requests of a server that has twice as many as are asked for.
    '--optimize-for-size',
    // Four times what is held, in MB: on a machine with much memory Node would let 250 MB of garbage lie, where 100 do as well.
    '--max-old-space-size=256',
  ],
  environment: {
    // What was compiled once is there at the next start, types stripped: half the time, and 18 MB less for the stripper.
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, '..', '.cache', 'compiled'),
    // glibc would keep freed memory apart for each of the threads that check passwords.
    MALLOC_ARENA_MAX: '2',
  },
}
