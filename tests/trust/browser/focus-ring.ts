import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { addRules, dropRules } from './browsing.ts'
import { contrast, type Color } from './colors.ts'

/** WCAG 2.4.13 and 1.4.11: required contrast between the pixels with and without the focus ring. */
const FOCUS_RING_CONTRAST = 3
const AROUND = 12
/** Half the perimeter of the smallest allowed control (WCAG 2.5.8). */
const LEAST_EDGE = 48
const NO_FOCUS_RING = `
  *, ::before, ::after { outline: none !important }
  :is(:focus, :focus-visible, [data-focus]) { box-shadow: none !important }
`

/**
 * Whether the focus ring is visible: captured with and without it, the pixels that change by a contrast of 3 must cover at least the length of the edge.
 * @param box of the element with the focus ring, in the window
 */
export async function showsFocusRing(page: Page, box: Box): Promise<boolean> {
  const clip = clipAround(page, box)
  if (!clip) return false
  const ringed = await photograph(page, clip)
  await addRules(page, NO_FOCUS_RING)
  const bare = await photograph(page, clip)
  await dropRules(page)
  // Elements partly outside the window show only part of their focus ring.
  const edge = Math.min(box.width, clip.width) + Math.min(box.height, clip.height)
  return changedPixels(ringed, bare).length >= edge
}

/**
 * The same for content of an inaccessible frame, such as a newsletter without scripts: the pixels that change when the frame loses focus must cover at
 * least the length of its edge. Then the frame gets the focus back, at its beginning.
 * @param box of the frame
 */
export async function showsFocusRingInFrame(page: Page, box: Box): Promise<boolean> {
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

/** The area of the window around a box; null where it is not visible. */
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

/** In ascending order. */
function extent(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
}

/** Their positions, row by row. */
function changedPixels(one: Buffer, other: Buffer): number[] {
  const changed: number[] = []
  for (let at = 0; at < one.length; at += 3) {
    if (contrast(colorAt(one, at), colorAt(other, at)) >= FOCUS_RING_CONTRAST) changed.push(at / 3)
  }
  return changed
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

function colorAt(pixels: Buffer, at: number): Color {
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
}
