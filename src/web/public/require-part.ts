import { data } from 'react-router'
import type { Part } from '#contract/parts.ts'
import type { PageServices } from '#server/pages/page-services.ts'

/** For the loader of a page of a part of the site. @throws 404 while the part is off */
export async function requirePart(services: Pick<PageServices, 'partsOff'>, part: Part): Promise<void> {
  if ((await services.partsOff()).includes(part)) throw data(null, { status: 404 })
}
