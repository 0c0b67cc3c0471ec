import { withBrowser } from '#tests/trust/browser/browsing.ts'
import { AxeLooks } from '#tests/trust/browser/axe-looks.ts'
import { findPublicPages } from '#tests/trust/browser/public-pages.ts'
import type { TrustRow } from '#tests/trust/row.ts'
import { walkScenes } from '#tests/trust/browser/scenes.ts'

export const row: TrustRow = {
  id: 'T59',
  promise: 'axe',
  gate: true,
  target:
    'every route and state x light, dark, forced colors x 100, 200, 400 %: 0 violations, 0 undecided incomplete results, no horizontal scrolling',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const pages = await findPublicPages(world)
    const axe = new AxeLooks()
    return withBrowser(async (browser) => {
      const scenes = await walkScenes({ browser, world, pages: pages.few }, (scene) => axe.judge(scene))
      return {
        passed: axe.faults.count === 0,
        reached: `${scenes} scenes of ${pages.few.length} addresses, ${axe.looks} looks; ${axe.judged} findings axe leaves open judged by the painted pixels; faults: ${axe.faults}`,
        notes: [
          pages.note,
          'Dark and the phone are judged for colours, forced colors by the painted pixels, the rest for every rule of axe; the page inside the map is not ours',
        ]
          .filter(Boolean)
          .join('. '),
      }
    })
  },
}
