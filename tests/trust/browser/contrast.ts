import type { Page } from 'playwright-core'
import { addRules, dropRules, waitUntilIdle } from './browsing.ts'
import { type Box, Camera, NO_FLOATING, type Picture, readyForCamera } from './camera.ts'
import { contrast, mixed, blendRatio, type Color } from './colors.ts'

/** WCAG 1.4.3; large is from 24 px, bold from 18.66 px. */
export const NEEDED = { small: 4.5, large: 3 }

/** How far a pixel must move from the background to the text color to count as a stroke: edges of pictures are repainted slightly differently. */
const STROKE = 0.25
/** Fewer pixels are no stroke of a character: between two screenshots, single ones of a picture may change more than that. */
const FEWEST_PIXELS = 4
const MOST_TRIES = 3

interface Words {
  colour: [...Color, alpha: number]
  isLarge: boolean
  /** Outside the visible part of a scrolled strip or column. */
  isAway: boolean
  /** Part of a floating element, which is hidden while other text is judged. */
  floats: boolean
  boxes: Box[]
}

/** Marks the elements whose text is shown while all other text is hidden. */
const MARK = 'data-judged'
const HIDE = `
  * { -webkit-text-fill-color: transparent !important; caret-color: transparent !important }
  [${MARK}] { -webkit-text-fill-color: currentcolor !important }
`

/** Measures text contrast against what is actually painted behind it, including patterns and pictures. */
export class PaintedContrast {
  readonly #known = new Map<string, number | null>()

  /**
   * The lowest contrast of each element's text against the background of its strokes, as a share of the WCAG 1.4.3 minimum: 1 is enough. Takes
   * screenshots of the page without text and with the text of the elements. null for an element without visible text. Elements that looked the same at
   * the same place before are not measured again. If the page moved between the screenshots, they are retried a few times.
   * @param look names colors and size of the page
   */
  async measure(page: Page, targets: readonly string[], look: string): Promise<(number | null)[]> {
    for (let tries = 1; ; tries++) {
      const words = await readAll(page, targets)
      const keys = words.map((these) => `${look} ${JSON.stringify(these)}`)
      const unknown = words.flatMap((these, at) =>
        these && !this.#known.has(keys[at] ?? '')
          ? [{ words: these, target: targets[at] ?? '', key: keys[at] ?? '' }]
          : [],
      )
      await this.#judge(page, unknown)
      // A picture beside the text may be painted differently in two screenshots: only text that is too faint each time it is looked at alone counts.
      for (const one of unknown) {
        for (let again = 1; again < MOST_TRIES && this.#isFaint(one.key); again++) await this.#judge(page, [one])
      }
      const isAsRead = unknown.length === 0 || JSON.stringify(await readAll(page, targets)) === JSON.stringify(words)
      if (isAsRead || tries === MOST_TRIES) return keys.map((key) => this.#known.get(key) ?? null)
      for (const { key } of unknown) this.#known.delete(key)
      await waitUntilIdle(page)
    }
  }

  #isFaint(key: string): boolean {
    const share = this.#known.get(key) ?? null
    return share !== null && share < 1
  }

  async #judge(page: Page, unknown: readonly Judged[]): Promise<void> {
    const here = unknown.filter(({ words: { isAway } }) => !isAway)
    // Elements in the window are captured in place: a menu may close when the window grows to the page's size.
    const { height = 0 } = page.viewportSize() ?? {}
    const isInWindow = ({ words: { boxes } }: Judged) => boxes.every((box) => box.y + box.height <= height)
    const near = here.filter(isInWindow)
    const far = here.filter((one) => !isInWindow(one))
    for (const group of [near.filter(({ words }) => words.floats), near.filter(({ words }) => !words.floats)]) {
      if (group.length > 0) await this.#photograph(page, group, { fullPage: false })
    }
    if (far.length > 0) await this.#photograph(page, far, { fullPage: true })
    for (const one of unknown.filter(({ words: { isAway } }) => isAway)) {
      await page.evaluate(bringHere, one.target)
      const [brought] = await page.evaluate(readWords, [one.target])
      if (brought) await this.#photograph(page, [{ ...one, words: brought }], { fullPage: false })
    }
  }

  async #photograph(page: Page, judged: readonly Judged[], { fullPage }: { fullPage: boolean }): Promise<void> {
    const camera = await Camera.over(
      page,
      judged.flatMap(({ words: { boxes } }) => boxes),
      fullPage,
    )
    await addRules(page, judged.every(({ words: { floats } }) => floats) ? HIDE : `${NO_FLOATING} ${HIDE}`)
    const ground = await camera?.take()
    for (const group of apart(judged)) {
      await page.evaluate(mark, [group.map(({ target }) => target), MARK] as const)
      const shown = await camera?.take()
      await page.evaluate(mark, [[], MARK] as const)
      for (const { words, key } of group) {
        this.#known.set(key, camera && ground && shown ? shareOf(words, { camera, ground, shown }) : null)
      }
    }
    await dropRules(page)
  }
}

/** Text and its boxes, on a page scrolled to the top with all pictures loaded. */
async function readAll(page: Page, targets: readonly string[]): Promise<(Words | null)[]> {
  await readyForCamera(page)
  await page.evaluate(fetchPictures)
  return page.evaluate(readWords, [...targets])
}

interface Judged {
  words: Words
  target: string
  key: string
}

/** Groups of boxes that do not overlap, so that their strokes cannot be confused. */
function apart(all: readonly Judged[]): Judged[][] {
  const groups: Judged[][] = []
  for (const one of all) {
    const group = groups.find((others) => !others.some((other) => touch(one.words.boxes, other.words.boxes)))
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups
}

function touch(some: readonly Box[], others: readonly Box[]): boolean {
  return some.some((a) =>
    others.some((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height),
  )
}

interface Pictures {
  camera: Camera
  ground: Picture
  shown: Picture
}

function shareOf({ colour: color, isLarge, boxes }: Words, { camera: { clip }, ground, shown }: Pictures): number {
  /** By the color behind them. */
  const strokes = new Map<string, { contrast: number; pixels: number }>()
  for (const { x, y, width, height } of boxes) {
    for (let row = Math.max(clip.y, Math.ceil(y)); row < Math.min(clip.y + clip.height, y + height); row++) {
      for (let column = Math.max(clip.x, Math.ceil(x)); column < Math.min(clip.x + clip.width, x + width); column++) {
        const behind = ground(column, row)
        const ink = mixed(color, behind)
        if (blendRatio(ink, behind, shown(column, row)) < STROKE) continue
        const known = strokes.get(behind.join())
        if (known) known.pixels++
        else strokes.set(behind.join(), { contrast: contrast(ink, behind), pixels: 1 })
      }
    }
  }
  // Text that changes no pixel is unreadable.
  return lowestContrast([...strokes.values()]) / (isLarge ? NEEDED.large : NEEDED.small)
}

/** The contrast that all but a few pixels exceed; 0 without enough of them. */
function lowestContrast(strokes: readonly { contrast: number; pixels: number }[]): number {
  let left = FEWEST_PIXELS
  for (const { contrast: ratio, pixels } of strokes.toSorted((one, other) => one.contrast - other.contrast)) {
    left -= pixels
    if (left <= 0) return ratio
  }
  return 0
}

/** Runs in the page: lazy pictures would load between two screenshots. */
async function fetchPictures(): Promise<void> {
  await Promise.all(
    [...document.images].map((image) => {
      image.loading = 'eager'
      return image.decode().catch(() => {})
    }),
  )
}

/** Runs in the page. */
function mark([selectors, name]: readonly [readonly string[], string]): void {
  for (const old of document.querySelectorAll(`[${name}]`)) old.removeAttribute(name)
  for (const selector of selectors) document.querySelector(selector)?.setAttribute(name, '')
}

/** Runs in the page. */
function bringHere(selector: string): void {
  document.querySelector(selector)?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
}

/** Runs in the page: color, size and line boxes of each element's own text. */
function readWords(selectors: string[]): (Words | null)[] {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

  function parse(color: string): Words['colour'] {
    if (!pen) return [0, 0, 0, 1]
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }

  return selectors.map((selector) => {
    const element = document.querySelector(selector)
    // What is behind a dialog is not meant to be read.
    const hasDialog = document.querySelector('[role=dialog][aria-modal=true]') !== null
    const isBehind = hasDialog && !element?.closest('[role=dialog], [role=menu], [role=listbox]')
    if (!element || isBehind || element.closest('[inert]')) return null
    const style = getComputedStyle(element)
    const size = Number.parseFloat(style.fontSize)
    let opacity = 1
    for (let box: Element | null = element; box; box = box.parentElement)
      opacity *= Number(getComputedStyle(box).opacity)
    const [red, green, blue, alpha] = parse(style.color)
    const isField = element.matches('input, textarea, select')
    if (isField && !(element as HTMLInputElement).value && !element.getAttribute('placeholder')) return null
    const rects = isField
      ? [element.getBoundingClientRect()]
      : [...element.childNodes].flatMap((node) => {
          if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) return []
          const range = document.createRange()
          range.selectNodeContents(node)
          return [...range.getClientRects()]
        })
    const menu = document.querySelector('[role=menu], [data-headlessui-state~=open].chip-panel')
    const cover = menu?.contains(element) ? undefined : menu?.getBoundingClientRect()
    // Elements covered by an open menu or filter are checked when it is closed.
    const isCovered = rects.some(
      ({ left, right, top, bottom }) =>
        cover && left < cover.right && cover.left < right && top < cover.bottom && cover.top < bottom,
    )
    if (rects.length === 0 || isCovered) return null
    let isAway = false
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box)
      const { left, right, top, bottom } = box.getBoundingClientRect()
      if (/auto|scroll/.test(overflowX)) isAway ||= rects.some((rect) => rect.right > right || rect.left < left)
      if (/auto|scroll/.test(overflowY)) isAway ||= rects.some((rect) => rect.bottom > bottom || rect.top < top)
    }
    return {
      isAway,
      floats: element.closest('[data-floats]') !== null,
      colour: [red, green, blue, alpha * opacity],
      isLarge: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
      boxes: rects.map(({ x, y, width, height }) => ({ x: x + scrollX, y: y + scrollY, width, height })),
    }
  })
}
