import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { addRules, dropRules } from './browsing.ts'
import { contrast, mixed, wayTo, type Colour } from './colours.ts'

/** WCAG 1.4.3; large is from 24 px, bold from 18.66 px. */
const NEEDED = { small: 4.5, large: 3 }

/** How far a pixel goes from what is behind it to the colour of the words when a stroke runs through it: edges of pictures are painted anew, a little different. */
const STROKE = 0.25

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Words {
  colour: [...Colour, alpha: number]
  isLarge: boolean
  /** Beyond the edge of a strip that is scrolled sideways. */
  isAway: boolean
  boxes: Box[]
}

/** Marks the elements whose words are shown while all others are not. */
const MARK = 'data-judged'
/** Marks what floats above the page, such as the notice: it covers other words at each place of the page. */
const ASIDE = 'data-aside'
const NO_ASIDE = `[${ASIDE}] { visibility: hidden !important }`
const HIDE = `
  ${NO_ASIDE}
  * { -webkit-text-fill-color: transparent !important; caret-color: transparent !important }
  [${MARK}] { -webkit-text-fill-color: currentcolor !important }
`

/** Judges words by what is really painted behind them: pattern, picture and all. */
export class PaintedContrast {
  readonly #known = new Map<string, number | null>()

  /**
   * The lowest contrast of each element's words against what is behind their strokes, as a share of what WCAG 1.4.3 asks: 1 is enough. The page is photographed
   * without words and with those of the elements. null for an element that shows no words. What looked the same at the same place before is not photographed again.
   * @param look names colours and size of the page
   */
  async measure(page: Page, targets: readonly string[], look: string): Promise<(number | null)[]> {
    await page.evaluate(markAside, ASIDE)
    await page.evaluate(fetchPictures)
    const words = await page.evaluate(readWords, [...targets])
    const keys = words.map((these) => `${look} ${JSON.stringify(these)}`)
    const unknown = words.flatMap((these, at) =>
      these && !this.#known.has(keys[at] ?? '')
        ? [{ words: these, target: targets[at] ?? '', key: keys[at] ?? '' }]
        : [],
    )
    const here = unknown.filter(({ words: { isAway } }) => !isAway)
    // What lies in the window is photographed as it lies: a menu may close when the window grows to the page.
    const { height = 0 } = page.viewportSize() ?? {}
    const isInWindow = ({ words: { boxes } }: Judged) => boxes.every((box) => box.y + box.height <= height)
    const near = here.filter(isInWindow)
    const far = here.filter((one) => !isInWindow(one))
    if (near.length > 0) await this.#photograph(page, near, { fullPage: false })
    if (far.length > 0) await this.#photograph(page, far, { fullPage: true })
    for (const one of unknown.filter(({ words: { isAway } }) => isAway)) {
      await page.evaluate(bringHere, one.target)
      const [brought] = await page.evaluate(readWords, [one.target])
      if (brought) await this.#photograph(page, [{ ...one, words: brought }], { fullPage: false })
    }
    return keys.map((key) => this.#known.get(key) ?? null)
  }

  async #photograph(page: Page, judged: readonly Judged[], { fullPage }: { fullPage: boolean }): Promise<void> {
    const camera = await Camera.over(
      page,
      judged.flatMap(({ words: { boxes } }) => boxes),
      fullPage,
    )
    await addRules(page, HIDE)
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

interface Judged {
  words: Words
  target: string
  key: string
}

/** Groups within which no box lies over another: their strokes cannot be taken for each other's. */
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

/** Takes pictures of one part of a page, in the page's own coordinates. */
class Camera {
  readonly #page: Page
  readonly clip: Box

  readonly #fullPage: boolean

  private constructor(page: Page, clip: Box, fullPage: boolean) {
    this.#page = page
    this.clip = clip
    this.#fullPage = fullPage
  }

  /** null when nothing of the boxes is on the page. */
  static async over(page: Page, boxes: readonly Box[], fullPage = true): Promise<Camera | null> {
    const size = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return { width: scrollWidth, height: scrollHeight }
    })
    const x = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.x))))
    const y = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.y))))
    const right = Math.min(size.width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width))))
    const bottom = Math.min(size.height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height))))
    return right > x && bottom > y ? new Camera(page, { x, y, width: right - x, height: bottom - y }, fullPage) : null
  }

  async take(): Promise<Picture> {
    const { clip } = this
    const fullPage = this.#fullPage
    const scrolled = await this.#page.evaluate(() => ({ x: scrollX, y: scrollY }))
    const shot = fullPage ? clip : { ...clip, x: clip.x - scrolled.x, y: clip.y - scrolled.y }
    const file = await this.#page.screenshot({ fullPage, clip: shot, animations: 'disabled', scale: 'css' })
    const pixels = await sharp(file).removeAlpha().raw().toBuffer()
    return (x, y) => {
      const place = ((y - clip.y) * clip.width + x - clip.x) * 3
      return [pixels[place] ?? 0, pixels[place + 1] ?? 0, pixels[place + 2] ?? 0]
    }
  }
}

type Picture = (x: number, y: number) => Colour

interface Pictures {
  camera: Camera
  ground: Picture
  shown: Picture
}

function shareOf({ colour, isLarge, boxes }: Words, { camera: { clip }, ground, shown }: Pictures): number {
  let lowest = Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  for (const { x, y, width, height } of boxes) {
    for (let row = Math.max(clip.y, Math.ceil(y)); row < Math.min(clip.y + clip.height, y + height); row++) {
      for (let column = Math.max(clip.x, Math.ceil(x)); column < Math.min(clip.x + clip.width, x + width); column++) {
        const behind = ground(column, row)
        const key = behind.join()
        if (seen.has(key)) continue
        const ink = mixed(colour, behind)
        if (wayTo(ink, behind, shown(column, row)) < STROKE) continue
        seen.add(key)
        lowest = Math.min(lowest, contrast(ink, behind))
      }
    }
  }
  // Words that change no pixel cannot be read at all.
  return seen.size === 0 ? 0 : lowest / (isLarge ? NEEDED.large : NEEDED.small)
}

/** Runs within the page, which begins at its top then, and its strips at their start: what sticks to the window covers nothing. */
function markAside(name: string): void {
  scrollTo(0, 0)
  for (const element of document.querySelectorAll('body *')) {
    if (element.scrollLeft > 0) element.scrollLeft = 0
    const floats = getComputedStyle(element).position === 'fixed' && !element.closest('[role=dialog]')
    if (floats && !element.querySelector('[role=dialog]')) element.setAttribute(name, '')
  }
}

/** Runs within the page: a picture that loads when it comes near would come between two photographs. */
async function fetchPictures(): Promise<void> {
  await Promise.all(
    [...document.images].map((image) => {
      image.loading = 'eager'
      return image.decode().catch(() => {})
    }),
  )
}

/** Runs within the page. */
function mark([selectors, name]: readonly [readonly string[], string]): void {
  for (const old of document.querySelectorAll(`[${name}]`)) old.removeAttribute(name)
  for (const selector of selectors) document.querySelector(selector)?.setAttribute(name, '')
}

/**
 * Words that cannot be told from what is around them, in whatever colours the browser really paints: the two colours of each line that differ most are compared.
 * For forced colours, which no computed style tells.
 */
export async function findUnseenWords(page: Page): Promise<string[]> {
  await page.evaluate(markAside, ASIDE)
  const lines = await page.evaluate(readLines)
  const camera = await Camera.over(
    page,
    lines.map(({ box }) => box),
  )
  await addRules(page, NO_ASIDE)
  const picture = await camera?.take()
  await dropRules(page)
  if (!camera || !picture) return []
  return lines.filter(({ box }) => mostContrast(box, camera.clip, picture) < NEEDED.large).map(({ words }) => words)
}

function mostContrast({ x, y, width, height }: Box, clip: Box, picture: Picture): number {
  const counts = new Map<string, { colour: Colour; count: number }>()
  for (let row = Math.max(clip.y, Math.ceil(y)); row < Math.min(clip.y + clip.height, y + height); row++) {
    for (let column = Math.max(clip.x, Math.ceil(x)); column < Math.min(clip.x + clip.width, x + width); column++) {
      const colour = picture(column, row)
      const known = counts.get(colour.join())
      if (known) known.count++
      else counts.set(colour.join(), { colour, count: 1 })
    }
  }
  const [ground] = [...counts.values()].sort((a, b) => b.count - a.count)
  if (!ground) return 0
  return Math.max(...[...counts.values()].map(({ colour }) => contrast(colour, ground.colour)))
}

/** Runs within the page. */
function bringHere(selector: string): void {
  document.querySelector(selector)?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
}

/** Runs within the page: colour, size and lines of each element's own words. */
function readWords(selectors: string[]): (Words | null)[] {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

  function parse(colour: string): Words['colour'] {
    if (!pen) return [0, 0, 0, 1]
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }

  return selectors.map((selector) => {
    const element = document.querySelector(selector)
    if (!element) return null
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
    const menu = document.querySelector('[role=menu]')
    const cover = menu?.contains(element) ? undefined : menu?.getBoundingClientRect()
    // What an open menu lies over is to be read when it is closed.
    const isCovered = rects.some(
      ({ left, right, top, bottom }) =>
        cover && left < cover.right && cover.left < right && top < cover.bottom && cover.top < bottom,
    )
    if (rects.length === 0 || isCovered) return null
    let isAway = false
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(box).overflowX)) continue
      const { left, right } = box.getBoundingClientRect()
      isAway ||= rects.some((rect) => rect.right > right || rect.left < left)
    }
    return {
      isAway,
      colour: [red, green, blue, alpha * opacity],
      isLarge: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
      boxes: rects.map(({ x, y, width, height }) => ({ x: x + scrollX, y: y + scrollY, width, height })),
    }
  })
}

/** Runs within the page. */
function readLines(): { words: string; box: Box }[] {
  // What lies behind a dialog is not to be read.
  const root = document.querySelector('[role=dialog]') ?? document.body
  const menu = document.querySelector('[role=menu]')
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: { words: string; box: Box }[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (!words || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (parent.closest('.visually-hidden, .skip, [inert], noscript, [data-aside]')) continue
    let left = -Infinity
    let right = Infinity
    let isForReaders = false
    for (let box: Element | null = parent; box; box = box.parentElement) {
      const { clipPath, overflowX } = getComputedStyle(box)
      isForReaders ||= clipPath === 'inset(50%)'
      if (!/auto|scroll/.test(overflowX)) continue
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
    }
    if (isForReaders) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const cover = menu?.contains(parent) ? undefined : menu?.getBoundingClientRect()
    for (const { x, y, width, height } of range.getClientRects()) {
      // What a strip has scrolled away is not painted, nor what an open menu lies over.
      if (width < 2 || x < left || x + width > right) continue
      if (cover && x < cover.right && cover.left < x + width && y < cover.bottom && cover.top < y + height) continue
      found.push({ words: words.slice(0, 80), box: { x: x + scrollX, y: y + scrollY, width, height } })
    }
  }
  return found
}
