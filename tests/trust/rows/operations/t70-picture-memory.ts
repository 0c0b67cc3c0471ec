import { readFileSync } from 'node:fs'
import { PICTURE_MAX_BYTES } from '#contract/console/media.ts'
import { request, type HttpResponse } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import { MemoryGroup } from '#tests/trust/faults/memory-cgroup.ts'
import { createOfficer, type TrustOfficer } from '#tests/trust/officers.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { worstPictures, type WorstPicture } from '#tests/trust/attacks/worst-pictures.ts'

/** Below the 512 MB of `deploy/`: staying within this means never reaching that limit. */
const LIMIT_MB = 400
const LOOK_EVERY_MS = 20
/** The timeout of the proxies in `deploy/`. */
const Response_WITHIN_MS = 270_000
const PAGE_WITHIN_MS = 2_000
const PAGES = ['/', '/events', '/about', '/news', '/faqs', '/become-a-member', '/newsletter', '/contact']
const WARM_UP = 400

export const row: TrustRow = {
  id: 'T70',
  promise: 'Memory under uploads',
  gate: true,
  undisturbed: true,
  target: `ten parallel uploads of the worst files an officer may choose, with the site and its child processes in a memory cgroup of ${LIMIT_MB} MB (512 by default): no process is killed for lack of memory, the site's process survives without loading the picture library, each upload returns a picture or an error message, waiting uploads see their position, pages respond within ${PAGE_WITHIN_MS / 1_000} s`,
  async run({ world: start }) {
    const group = MemoryGroup.make(LIMIT_MB)
    if (!group)
      return {
        passed: false,
        reached: 'not measured',
        notes: 'Memory cgroups are not available to this user: run it as root.',
      }
    try {
      return await measure(await start({ pages: true }), group)
    } finally {
      group.remove()
    }
  },
}

async function measure(world: World, group: MemoryGroup) {
  const faults = new Faults()
  await world.site.program.stop()
  await group.within(() => world.site.start())
  const { pid } = world.site.program
  try {
    await inParallel(Array.from({ length: WARM_UP }), 8, (_, turn) =>
      request(world.site.origin, { path: PAGES[turn % PAGES.length] ?? '/' }),
    )
    const officer = await createOfficer(world, ['editor'])
    const pictures = await worstPictures()
    for (const { what, bytes } of pictures)
      faults.expect(bytes.length <= PICTURE_MAX_BYTES, 'more than an upload may have', `${what}: ${bytes.length}`)
    const atRest = group.heldMb
    const seen = { held: 0, processes: 0, slowestPage: 0, pages: 0, placesSeen: new Set<number>() }
    const watch = setInterval(() => {
      seen.held = Math.max(seen.held, group.heldMb)
      seen.processes = Math.max(seen.processes, group.processes.length)
    }, LOOK_EVERY_MS)
    let isOver = false
    const visits = lookAtPages(world, seen, faults, () => isOver)
    const places = lookAtQueue(officer, pictures, seen, faults, () => isOver)
    const startedAt = performance.now()
    const responses = await Promise.all(pictures.map((picture) => upload(world, officer, picture)))
    const seconds = (performance.now() - startedAt) / 1_000
    isOver = true
    await Promise.all([visits, places])
    clearInterval(watch)
    const told = responses.map((response, index) => verdict(response, pictures[index]?.what ?? '', faults))
    faults.expect(group.killed === 0, 'ended for want of memory', String(group.killed))
    faults.expect(world.site.program.pid === pid && !world.site.program.hasEnded, 'the site was started again')
    // The site itself and one picture process; briefly a shell that starts it.
    faults.expect(seen.processes === 2, 'processes at once', String(seen.processes))
    faults.expect(!/libvips/.test(readMaps(pid)), 'the picture library is in the site’s own process')
    faults.expect(seen.placesSeen.size > 1, 'no upload saw its position')
    const prepared = told.filter((one) => one === 'prepared').length
    const { held, slowestPage, pages } = seen
    return {
      passed: faults.count === 0 && prepared > 0,
      reached:
        `${pictures.length} at once: ${prepared} prepared, ${told.length - prepared} refused with a sentence, the last answered after ${seconds.toFixed(0)} s; ` +
        `held by site and picture ${held.toFixed(0)} MB at most (${atRest.toFixed(0)} MB before), ${group.peakMb.toFixed(0)} MB with the pages of files; ` +
        `${group.killed} ended for want of memory; ${pages} pages meanwhile, the slowest ${slowestPage.toFixed(0)} ms; faults: ${faults}`,
    }
  } finally {
    await world.site.program.stop()
  }
}

const ticketOf = ({ filename }: WorstPicture) => `ticket-${filename}`

function upload(world: World, { visitor }: TrustOfficer, picture: WorstPicture): Promise<HttpResponse> {
  const query = new URLSearchParams({ filename: picture.filename, alt: picture.what, ticket: ticketOf(picture) })
  return request(world.site.origin, {
    method: 'POST',
    path: `/api/console/media/home/articles?${query}`,
    headers: { authorization: `Bearer ${visitor.token}`, 'content-type': 'application/octet-stream' },
    body: picture.bytes,
    withinMs: Response_WITHIN_MS,
  }).catch((error: Error) => ({ status: 0, text: error.message, body: null }) as HttpResponse)
}

/** A picture with its sizes, or an error for the field. */
function verdict({ status, body, text }: HttpResponse, what: string, faults: Faults): 'prepared' | 'refused' {
  if (status === 201) {
    const isWhole = what === 'animated GIF' || body.sizes?.length >= 2
    faults.expect(isWhole, 'a picture without its sizes', what)
    return 'prepared'
  }
  faults.expect(
    status === 400 && /^This picture /.test(body?.errors?.file ?? ''),
    `answered ${status}`,
    `${what}: ${text}`,
  )
  return 'refused'
}

async function lookAtPages(
  world: World,
  seen: { slowestPage: number; pages: number },
  faults: Faults,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const path = PAGES[seen.pages++ % PAGES.length] ?? '/'
    const { status, ms } = await request(world.site.origin, { path }).catch(() => ({ status: 0, ms: 0 }))
    seen.slowestPage = Math.max(seen.slowestPage, ms)
    faults.expect(status === 200, `a page answered ${status}`, path)
    faults.expect(ms < PAGE_WITHIN_MS, 'a page came late', `${path}: ${ms.toFixed(0)} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function lookAtQueue(
  { visitor }: TrustOfficer,
  pictures: readonly WorstPicture[],
  seen: { placesSeen: Set<number> },
  faults: Faults,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    for (const picture of pictures) {
      const path = `/api/console/media-queue?ticket=${ticketOf(picture)}`
      const { status, body } = await visitor.get(path).catch(() => ({ status: 0, body: null }))
      faults.expect(status === 200, `the queue answered ${status}`)
      if (typeof body?.ahead === 'number') seen.placesSeen.add(body.ahead)
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function readMaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    // The process has exited, which is reported elsewhere.
    return ''
  }
}
