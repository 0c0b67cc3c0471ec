import type { BodyKey } from '#contract/public/association.ts'
import type { PageServices } from '#server/pages/page-services.ts'
import { portraitsOf, type PortraitPicture } from './portrait.tsx'
import { portraitOf } from '#web/shared/pictures/stored-images.rules.ts'

/** A person who is one of the association's leaders. */
export interface ListedLeader {
  role: string | null
  /** The page that lists the person. */
  path: string
  portrait: PortraitPicture
}

const BODIES: readonly BodyKey[] = ['executive-committee', 'board-directors', 'board-trustees']

/** The leader of that name, if there is one with a portrait; nothing stands in for it. */
export async function findListedLeader(
  services: Pick<PageServices, 'leaderBody' | 'pictures'>,
  person: string,
): Promise<ListedLeader | null> {
  const [images, ...bodies] = await Promise.all([
    services.pictures('exec', 'team'),
    ...BODIES.map((key) => services.leaderBody(key)),
  ])
  for (const body of bodies) {
    const leader = body?.members.find(({ name }) => name === person)
    if (!body || !leader) continue
    const isDrawn = leader.portrait === null && !portraitOf({ list: 'leaders', name: person }, images)
    const [portrait] = portraitsOf([leader], images)
    if (portrait && !isDrawn) return { role: leader.role, path: `/${body.key}`, portrait }
  }
  return null
}
