import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { addRules, dropRules } from './browsing.ts'
import { contrast, type Colour } from './colours.ts'

/** WCAG 2.4.13 and 1.4.11: how much the ring differs from what was there before. */
const RING_CONTRAST = 3
const AROUND = 12
/** Half of the way around the smallest control there may be (WCAG 2.5.8). */
const LEAST_EDGE = 48
const NO_RING = `
  *, ::before, ::after { outline: none !important }
  :is(:focus, :focus-visible, [data-focus]) { box-shadow: none !important }
`

/**
 * Whether the ring around what has the focus can be seen: photographed with it and without, pixels that change by a contrast of 3 make up at least the length of its
 * edge. @param box of what carries the ring, in the window
 */
export async function showsRing(page: Page, box: Box): Promise<boolean> {
  const clip = clipAround(page, box)
  if (!clip) return false
  const ringed = await photograph(page, clip)
  await addRules(page, NO_RING)
  const bare = await photograph(page, clip)
  await dropRules(page)
  // What hangs over the edge of the window shows only a part of its ring.
  const edge = Math.min(box.width, clip.width) + Math.min(box.height, clip.height)
  return changedPixels(ringed, bare).length >= edge
}

/**
 * The same of something in a frame whose contents nobody can ask, such as a letter without scripts: what changes when the frame loses the focus makes up at least
 * the length of the edge around it. Afterwards the frame has the focus again, at its beginning. @param box of the frame
 */
export async function showsRingInFrame(page: Page, box: Box): Promise<boolean> {
  const clip = clipAround(page, box)
  if (!clip) return false
  const ringed = await photograph(page, clip)
  const frame = await page.evaluateHandle(() => {
    const focused = document.activeElement as HTMLElement
    focused.blur()
    return focused
  })
  const bare = await photograph(page, clip)
  await frame.evaluate((element) => element.focus())
  const changed = changedPixels(ringed, bare)
  const edge = extent(changed.map((at) => at % clip.width)) + extent(changed.map((at) => Math.floor(at / clip.width)))
  return changed.length >= Math.max(edge, LEAST_EDGE)
}

/** The part of the window around a box; null where none of it is seen. */
function clipAround(page: Page, box: Box): Box | null {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const left = Math.max(0, Math.floor(box.x - AROUND))
  const top = Math.max(0, Math.floor(box.y - AROUND))
  const clip = {
    x: left,
    y: top,
    width: Math.min(size.width, Math.ceil(box.x + box.width + AROUND)) - left,
    height: Math.min(size.height, Math.ceil(box.y + box.height + AROUND)) - top,
  }
  return clip.width > 0 && clip.height > 0 ? clip : null
}

async function photograph(page: Page, clip: Box): Promise<Buffer> {
  const picture = await page.screenshot({ clip, animations: 'disabled', caret: 'hide', scale: 'css' })
  return sharp(picture).removeAlpha().raw().toBuffer()
}

/** From the least to the greatest. */
function extent(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
}

/** Their places, row by row. */
function changedPixels(one: Buffer, other: Buffer): number[] {
  const changed: number[] = []
  for (let at = 0; at < one.length; at += 3) {
    if (contrast(colourAt(one, at), colourAt(other, at)) >= RING_CONTRAST) changed.push(at / 3)
  }
  return changed
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

function colourAt(pixels: Buffer, at: number): Colour {
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
}
