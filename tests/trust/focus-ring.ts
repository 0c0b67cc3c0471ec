import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { addRules, dropRules } from './browsing.ts'
import { contrast, type Colour } from './colours.ts'

/** WCAG 2.4.13 and 1.4.11: how much the ring differs from what was there before. */
const RING_CONTRAST = 3
const AROUND = 12
const NO_RING = `
  *, ::before, ::after { outline: none !important }
  :is(:focus, :focus-visible, [data-focus]) { box-shadow: none !important }
`

/**
 * Whether the ring around what has the focus can be seen: photographed with it and without, pixels that change by a contrast of 3 make up at least the length of its
 * edge. @param box of what carries the ring, in the window
 */
export async function showsRing(page: Page, box: Box): Promise<boolean> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const left = Math.max(0, Math.floor(box.x - AROUND))
  const top = Math.max(0, Math.floor(box.y - AROUND))
  const clip = {
    x: left,
    y: top,
    width: Math.min(size.width, Math.ceil(box.x + box.width + AROUND)) - left,
    height: Math.min(size.height, Math.ceil(box.y + box.height + AROUND)) - top,
  }
  if (clip.width <= 0 || clip.height <= 0) return false
  const take = async () => {
    const picture = await page.screenshot({ clip, animations: 'disabled', caret: 'hide', scale: 'css' })
    return sharp(picture).removeAlpha().raw().toBuffer()
  }
  const ringed = await take()
  const frames = page.frames()
  await Promise.all(frames.map((frame) => addRules(frame, NO_RING)))
  const bare = await take()
  await Promise.all(frames.map((frame) => dropRules(frame)))
  let changed = 0
  for (let at = 0; at < ringed.length; at += 3) {
    if (contrast(colourAt(ringed, at), colourAt(bare, at)) >= RING_CONTRAST) changed++
  }
  // What hangs over the edge of the window shows only a part of its ring.
  const edge = Math.min(box.width, clip.width) + Math.min(box.height, clip.height)
  return changed >= edge
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
