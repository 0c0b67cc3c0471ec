import { resolve } from 'node:path'

/** How the site's process is started so that it is up in a second and stays small; `npm run bench -- start` measures both. */
export const SITE_PROCESS = {
  // Room for young objects, in MB: Node's own measure takes 50 MB more under load and makes nothing quicker.
  nodeOptions: ['--max-semi-space-size=4'],
  environment: {
    // What was compiled once is there at the next start, types stripped: half the time, and 18 MB less for the stripper.
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, '..', '.cache', 'compiled'),
    // glibc would keep freed memory apart for each of the threads that check passwords.
    MALLOC_ARENA_MAX: '2',
  },
}
