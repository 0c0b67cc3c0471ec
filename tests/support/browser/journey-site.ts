import { inject } from 'vitest'

/** The built site with stand-ins. Each process of journeys has one for all of its files; started by `tools/site/journey-site.setup.ts`. */
export interface JourneySite {
  /** Origins, without a trailing slash. */
  url: string
  standinsUrl: string
  dataDirectory: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    journeySites: JourneySite[]
  }
}

/** @throws Error outside the project `journeys`. */
export function journeySite(): JourneySite {
  const site = inject('journeySites')[Number(process.env['VITEST_POOL_ID']) - 1]
  if (!site) throw new Error('There is no site for this process: the journeys need a site per worker.')
  return site
}
