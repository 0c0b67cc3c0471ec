import { inject } from 'vitest'

/** The built site with stand-ins, shared by all journeys; started by `tools/site/journey-site.setup.ts`. */
export interface JourneySite {
  /** Origins, without a trailing slash. */
  url: string
  standinsUrl: string
  dataDirectory: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    journeySite: JourneySite
  }
}

export function journeySite(): JourneySite {
  return inject('journeySite')
}
