import type { Page } from 'playwright-core'
import { addRules, dropRules } from './browsing.ts'
import { type Box, Camera, NO_FLOATING, type Picture, readyForCamera } from './camera.ts'
import { contrast, type Color } from './colors.ts'
import { NEEDED } from './contrast.ts'

/**
 * Text that is indistinguishable from its surroundings, in the colors actually painted: compares the two most different colors of each line. For forced
 * colors, which computed styles do not report.
 */
export async function findInvisibleText(page: Page): Promise<string[]> {
  await readyForCamera(page)
  const lines = await page.evaluate(readLines)
  const { height = 0 } = page.viewportSize() ?? {}
  const isInWindow = ({ box }: Line) => box.y + box.height <= height
  await addRules(page, NO_FLOATING)
  // Elements in the window are captured in place: a menu may close when the window grows to the page's size.
  const unseen = [
    ...(await notSeen(page, lines.filter(isInWindow), { fullPage: false })),
    ...(await notSeen(
      page,
      lines.filter((line) => !isInWindow(line)),
      { fullPage: true },
    )),
  ]
  await dropRules(page)
  return unseen
}

interface Line {
  words: string
  box: Box
}

async function notSeen(page: Page, lines: readonly Line[], { fullPage }: { fullPage: boolean }): Promise<string[]> {
  const boxes = lines.map(({ box }) => box)
  const camera = boxes.length > 0 ? await Camera.over(page, boxes, fullPage) : null
  const picture = await camera?.take()
  if (!camera || !picture) return []
  return lines.filter(({ box }) => mostContrast(box, camera.clip, picture) < NEEDED.large).map(({ words }) => words)
}

function mostContrast({ x, y, width, height }: Box, clip: Box, picture: Picture): number {
  const counts = new Map<string, { colour: Color; count: number }>()
  for (let row = Math.max(clip.y, Math.ceil(y)); row < Math.min(clip.y + clip.height, y + height); row++) {
    for (let column = Math.max(clip.x, Math.ceil(x)); column < Math.min(clip.x + clip.width, x + width); column++) {
      const color = picture(column, row)
      const known = counts.get(color.join())
      if (known) known.count++
      else counts.set(color.join(), { colour: color, count: 1 })
    }
  }
  const [ground] = [...counts.values()].sort((a, b) => b.count - a.count)
  if (!ground) return 0
  return Math.max(...[...counts.values()].map(({ colour: color }) => contrast(color, ground.colour)))
}

/** Runs in the page. */
function readLines(): Line[] {
  // Text behind a dialog is not meant to be read.
  const root = document.querySelector('[role=dialog]') ?? document.body
  const menu = document.querySelector('[role=menu], [data-headlessui-state~=open].chip-panel')
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: Line[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (!words || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (parent.closest('.visually-hidden, .skip, [inert], noscript, [data-floats]')) continue
    let left = -Infinity
    let right = Infinity
    let top = -Infinity
    let bottom = Infinity
    let isForReaders = false
    for (let box: Element | null = parent; box; box = box.parentElement) {
      const { clipPath, overflowX, overflowY } = getComputedStyle(box)
      isForReaders ||= clipPath === 'inset(50%)'
      const edge = box.getBoundingClientRect()
      if (/auto|scroll/.test(overflowX)) {
        left = Math.max(left, edge.left)
        right = Math.min(right, edge.right)
      }
      if (/auto|scroll/.test(overflowY)) {
        top = Math.max(top, edge.top)
        bottom = Math.min(bottom, edge.bottom)
      }
    }
    if (isForReaders) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const spaceWidth = Number.parseFloat(getComputedStyle(parent).fontSize) / 4
    const cover = menu?.contains(parent) ? undefined : menu?.getBoundingClientRect()
    const lines = [...range.getClientRects()]
    for (const { x, y, width, height } of lines) {
      // A space that hangs at the end of a line is no text.
      if (lines.length > 1 && width < spaceWidth) continue
      // Text scrolled out of a strip or a column, or covered by an open menu, is not painted.
      if (width < 2 || x < left || x + width > right || y < top || y + height > bottom) continue
      if (cover && x < cover.right && cover.left < x + width && y < cover.bottom && cover.top < y + height) continue
      found.push({ words: words.slice(0, 80), box: { x: x + scrollX, y: y + scrollY, width, height } })
    }
  }
  return found
}
