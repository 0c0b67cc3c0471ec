import sharp from 'sharp'
import type { Page } from 'playwright-core'
import type { Colour } from './colours.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Marks what floats above the page, such as the notice: it covers other words at each place of the page. */
const ASIDE = 'data-aside'
export const NO_ASIDE = `[${ASIDE}] { visibility: hidden !important }`

/** Takes pictures of one part of a page, in the page's own coordinates. */
export class Camera {
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

export type Picture = (x: number, y: number) => Colour

/** Readies the page for photographs: it lies at its top, and `NO_ASIDE` hides what floats above it. */
export async function readyForCamera(page: Page): Promise<void> {
  await page.evaluate(markAside, ASIDE)
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
