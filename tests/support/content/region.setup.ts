import { setRegion } from '#contract/region.ts'

// Where the sample association is. An application in a test sets it from its own content.
setRegion({ timeZone: 'America/New_York', currency: 'usd', country: 'US' })
